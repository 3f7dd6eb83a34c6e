import { GIT_VERSION } from '#lib/server/endpoints/version.ts';

/** Kubernetes's minor version, such as `1.36`, for the user agent of probes and hooks. */
export const MINOR_VERSION = /\d+\.\d+/.exec(GIT_VERSION)?.[0] ?? '';

import { GIT_VERSION } from '#lib/server/endpoints/version.ts';

/** Kubernetes' minor version, as `1.36`: what probes and hooks call themselves by. */
export const MINOR_VERSION = /\d+\.\d+/.exec(GIT_VERSION)?.[0] ?? '';

import type { Authorizer } from './authorizer.ts';

const OPEN: readonly RegExp[] = [/^\/(healthz|livez|readyz)(\/|$)/, /^\/version\/?$/];

/** What anyone may read: health and version, as upstream's system:public-info-viewer. */
export const alwaysAllowPaths: Authorizer = async (_user, { isResourceRequest, verb, path }) =>
  !isResourceRequest && verb === 'get' && OPEN.some((pattern) => pattern.test(path))
    ? { decision: 'allow', reason: '' }
    : { decision: 'noOpinion', reason: '' };

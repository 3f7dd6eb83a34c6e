import type { Authorizer } from './authorizer.ts';

const OPEN: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

/** What anyone may read, also where no roles can be read: the paths of upstream's system:public-info-viewer. */
export const alwaysAllowPaths: Authorizer = async (_user, { isResourceRequest, verb, path }) =>
  !isResourceRequest && verb === 'get' && OPEN.has(path)
    ? { decision: 'allow', reason: '' }
    : { decision: 'noOpinion', reason: '' };

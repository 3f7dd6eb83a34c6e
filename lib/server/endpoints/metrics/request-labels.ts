import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';

/** The metric labels of a request. */
export interface RequestLabels {
  readonly verb: string;
  /** `All`, or empty. */
  readonly dryRun: string;
  /** Group, version, resource, subresource, scope and component, in this order. */
  readonly served: readonly string[];
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
};
const CONNECTS: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy', 'channel']);

/** Returns upstream's labels of a served request. `servedAs` is its subresource, or the path of a non-resource request. */
export function requestLabels(request: ApiRequest, info: RequestInfo, servedAs: string): RequestLabels {
  const { group, version, resource } = info;
  const dryRun = request.query.getAll('dryRun').includes('All') ? 'All' : '';
  return {
    verb: verbOf(request, info),
    dryRun,
    served: [group, version, resource, servedAs, scopeOf(info), 'apiserver'],
  };
}

function verbOf({ headers }: ApiRequest, { verb, subresource, isResourceRequest }: RequestInfo): string {
  if (isResourceRequest && CONNECTS.has(subresource)) return 'CONNECT';
  if (verb === 'patch' && headers['content-type']?.startsWith('application/apply-patch') === true) return 'APPLY';
  return VERBS[verb] ?? verb.toUpperCase();
}

/** Returns `resource`, `namespace`, `cluster`, or '' for a non-resource request. */
export function scopeOf({ isResourceRequest, name, namespace, verb }: RequestInfo): string {
  if (!isResourceRequest) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

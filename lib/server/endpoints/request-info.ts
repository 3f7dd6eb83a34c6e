import type { RequestInfo } from './api.ts';

const VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);
/** Namespaces' own subresources: `/api/v1/namespaces/x/status` is not a resource named status in x. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Of a request whose path was not read. */
export const NO_INFO: RequestInfo = {
  isResourceRequest: false,
  path: '',
  verb: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  rest: [],
};

/**
 * Parses a request's path and method: upstream's RequestInfoFactory. It looks nothing up, so that an unknown group
 * still has a verb and a resource to authorize. Undefined if the path is not validly encoded.
 */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo | undefined {
  const parts = segments(path);
  if (parts === undefined) return undefined;
  const nonResource: RequestInfo = { ...NO_INFO, path, verb: method.toLowerCase() };
  const [root, ...tail] = parts;
  if (root === 'api' && tail.length >= 2) return resourceRequest(nonResource, method, '', tail, query);
  if (root === 'apis' && tail.length >= 3)
    return resourceRequest(nonResource, method, tail[0] as string, tail.slice(1), query);
  return nonResource;
}

/** `/api/v1/watch/…` is how watches were asked for before there was a parameter. */
function resourceRequest(
  base: RequestInfo,
  method: string,
  group: string,
  tail: string[],
  query: URLSearchParams,
): RequestInfo {
  const [version = '', ...parts] = tail;
  const watch = parts[0] === 'watch' && parts.length > 1;
  const { namespace, rest: at } = splitNamespace(watch ? parts.slice(1) : parts);
  const [resource = '', name = '', subresource = '', ...rest] = at;
  const verb = watch ? 'watch' : verbOf(method, name, query);
  return { ...base, isResourceRequest: true, verb, group, version, namespace, resource, name, subresource, rest };
}

function splitNamespace(parts: string[]): { namespace: string; rest: string[] } {
  const [first, namespace = '', third = ''] = parts;
  if (first !== 'namespaces' || parts.length < 2) return { namespace: '', rest: parts };
  if (parts.length === 2 || NAMESPACE_SUBRESOURCES.has(third)) return { namespace, rest: parts };
  return { namespace, rest: parts.slice(2) };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = VERBS.get(method) ?? '';
  if (name !== '')
    return verb === 'get' && isTrue(query.get('watch')) && nameSelector(query) !== undefined ? 'watch' : verb;
  if (verb === 'get') return isTrue(query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

function nameSelector(query: URLSearchParams): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]*)/.exec(query.get('fieldSelector') ?? '')?.[1];
}

/** Upstream's conversion of a query value to a bool: everything but `false` and `0` is true where the key is given. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

/**
 * The path's segments; one trailing slash is ignored. It is decoded before, as upstream does: an encoded slash divides like any other.
 * An empty segment within stays, as upstream's mux keeps it.
 */
function segments(path: string): string[] | undefined {
  try {
    const decoded = decodeURIComponent(path);
    const text = decoded.replace(/^\/+/, '').replace(/\/$/, '');
    return text === '' || decoded.startsWith('//') ? [] : text.split('/');
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

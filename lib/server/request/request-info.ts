/** Upstream's `RequestInfo`: the request in a path and a method. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** A Kubernetes verb for resources (`list`, `deletecollection` …), otherwise the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments after the subresource (`proxy`), decoded. */
  readonly rest: readonly string[];
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);
/** Subresources of namespaces: `/api/v1/namespaces/x/status` is not a resource named status in x. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** The value for a request whose path was not parsed. */
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
 * Parses a request's path and method, like upstream's RequestInfoFactory. Performs no lookup, so an unknown group still has a verb and a
 * resource to authorize. Returns undefined if the path is not validly encoded.
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

/** `/api/v1/watch/…` is the legacy way to request a watch, from before the `watch` parameter. */
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

/** Converts a query value to a bool like upstream: every value except `false` and `0` is true if the key is present. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

/**
 * Returns the path's segments, ignoring one trailing slash. Decodes the path first, like upstream, so an encoded slash is an ordinary
 * separator. Keeps an empty segment inside the path, like upstream's mux.
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

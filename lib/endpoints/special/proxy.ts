import type { Backends } from '#lib/channel/backends.ts';
import { isProxyable } from '#lib/channel/address-rules.ts';
import { badRequest, serviceUnavailable } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { at, count, items, text } from '#lib/machinery/unstructured.ts';
import type { ApiRequest, ApiResponse, RequestInfo } from '../api.ts';
import type { Handler } from '../filters/filter.ts';
import { connect, type ConnectPorts } from './connect.ts';
import { checkCreateRight } from './create-right.ts';
import { NODE_PROXY, POD_PROXY } from './connect-options.ts';
import { forward, forwardUpgrade, type Location } from './forward.ts';
import { nodeConnection } from './node-connection.ts';

/** Upstream's SplitSchemeNamePort: `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Throws 400 where the text is none. */
export function proxyName(id: string, kind: string): ProxyName {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme))
    throw badRequest(`invalid ${kind} request ${quote(id)}`);
  return { scheme, name, port };
}

/** Sends the request to an address at the path behind `proxy`. Throws 400 where users may not reach the address. */
export async function proxy(
  backends: Backends | undefined,
  { request, info }: { readonly request: ApiRequest; readonly info: RequestInfo },
  { host, port, scheme, tls }: { host: string; port: string; scheme: string; tls?: Location['tls'] },
): Promise<ApiResponse> {
  if (backends === undefined) throw unreachable(`no route to ${host}`);
  const path = proxiedPath(request, info);
  if (path === '' && (request.method === 'GET' || request.method === 'HEAD')) return withSlash(request);
  const number = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  if (!/^\d*$/.test(port) || number < 1 || number > 65_535)
    throw unreachable(`dial tcp: lookup tcp/${port}: unknown port`);
  const to: Location = {
    target: { host, port: number, globalOnly: true },
    tls: tls ?? (scheme === 'https' ? 'unverified' : 'none'),
    path: `${path === '' ? '/' : path}${queryOf(request)}`,
  };
  return request.upgrade === undefined ? forward(backends, request, to) : forwardUpgrade(backends, request, to);
}

const unreachable = (why: string): Error => serviceUnavailable(`error trying to reach service: ${why}`);

/** `.` and `..` lead nowhere above the root: upstream's path.Join. */
function proxiedPath({ path }: ApiRequest, { rest }: RequestInfo): string {
  const kept: string[] = [];
  for (const part of rest) {
    if (part === '..') kept.pop();
    else if (part !== '.' && part !== '') kept.push(escaped(part));
  }
  const slash = path.endsWith('/') || /%2f$/i.test(path);
  if (kept.length === 0) return slash || rest.length > 0 ? '/' : '';
  return `/${kept.join('/')}${slash ? '/' : ''}`;
}

/** Go's url.EscapedPath: backends that compare paths byte by byte get those that upstream sends. */
const escaped = (part: string): string =>
  encodeURIComponent(part)
    .replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const queryOf = ({ query, uri }: ApiRequest): string => {
  const mark = uri?.indexOf('?') ?? -1;
  if (uri !== undefined) return mark < 0 ? '' : uri.slice(mark);
  return query.size === 0 ? '' : `?${query}`;
};

/** Relative links of what answers need the slash behind `proxy`. */
const withSlash = (request: ApiRequest): ApiResponse => ({
  status: 301,
  headers: { location: `${request.path}/${queryOf(request)}` },
  body: '',
});

export const podProxyEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, POD_PROXY, async (find, request, { info }) => {
    const { scheme, name, port } = proxyName(info.name, 'pod');
    const pod = await find('pods', name);
    const [declared] = items(at(pod, 'spec'), 'containers').flatMap((one) => items(one, 'ports').slice(0, 1));
    const chosen = port === '' && declared !== undefined ? String(count(declared, 'containerPort')) : port;
    const [host = ''] = items(at(pod, 'status'), 'podIPs').map((one) => text(one, 'ip'));
    if (!isProxyable(host)) throw badRequest('address not allowed');
    return proxy(ports.backends, { request, info }, { host, port: chosen, scheme });
  });

/**
 * The kubelet's own port is dialled as for logs; any other is a port of the host. A WebSocket asks with a GET, and a kubelet runs
 * commands by one: it needs the right to create, as `pods/exec` does.
 */
export const nodeProxyEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, NODE_PROXY, async (find, request, state) => {
    const { info } = state;
    if (request.upgrade !== undefined) await checkCreateRight(ports.authorizer, state);
    const { scheme, name, port } = proxyName(info.name, 'node');
    const { backends, host, port: own } = await nodeConnection(find, name, ports.backends);
    const isKubelet = port === '' || port === String(own);
    return proxy(
      backends,
      { request, info },
      { host, scheme, ...(isKubelet ? { port: String(own), tls: 'kubelet' } : { port }) },
    );
  });

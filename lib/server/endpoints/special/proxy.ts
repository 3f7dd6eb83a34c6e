import { escape, toBytes } from '#lib/api/cel/library/url-escape.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { isSimulated, simulatedTarget } from '#lib/helpers/component-helpers/node/simulated.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { defined } from '#lib/machinery/defined.ts';
import { badRequest, StatusError, serviceUnavailable } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { bracketed, joinHostPort } from '#lib/machinery/net/host-port.ts';
import { isProxyable } from '#lib/server/channel/address-rules.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { Via } from '#lib/server/channel/dialer.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import type { ApiResponse } from '../api.ts';
import type { Handler } from '../filters/filter.ts';
import { cleanPath, forwardedUri } from './clean-path.ts';
import { type ConnectPorts, connectEndpoint, type Reader } from './connect.ts';
import { NODE_PROXY, POD_PROXY } from './connect-options.ts';
import { checkCreateRight } from './create-right.ts';
import { forward, forwardUpgrade, type Location } from './forward.ts';
import { nodeConnection } from './node-connection.ts';
import { rewritten } from './proxy-transport.ts';

/** Upstream's SplitSchemeNamePort: `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Parses a proxy name. Throws 400 if it is invalid. */
export function proxyName(id: string, kind: string): ProxyName {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme))
    throw badRequest(`invalid ${kind} request ${quote(id)}`);
  return { scheme, name, port };
}

interface ProxyTarget {
  readonly host: string;
  /** The port as written by users. '' means the scheme's default. */
  readonly port: string;
  readonly scheme: string;
  readonly tls?: Location['tls'];
  /** Present if the host is reached through a node's channel. */
  readonly via?: Via | undefined;
}

/** Sends the request to an address, at the path after `proxy`. Throws 400 if users may not reach the address. */
export async function proxy(
  backends: Backends | undefined,
  { request, info }: { readonly request: ApiRequest; readonly info: RequestInfo },
  { host, via, port, scheme, tls }: ProxyTarget,
): Promise<ApiResponse> {
  if (backends === undefined) throw unreachable(`no route to ${host}`);
  const { method, upgrade } = request;
  const path = proxiedPath(request, info);
  if (path === '' && upgrade === undefined && (method === 'GET' || method === 'HEAD')) return withSlash(request);
  const number = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  if (!/^\d*$/.test(port) || number < 1 || number > 65_535)
    throw unreachable(`dial tcp: lookup tcp/${port}: unknown port`);
  const rooted = path === '' ? '/' : path;
  const escaped = escape(toBytes(rooted), 'path');
  const to: Location = {
    target: { host, port: number, globalOnly: true, ...defined({ via }) },
    tls: tls ?? (scheme === 'https' ? 'unverified' : 'none'),
    path: `${escaped}${queryOf(request)}`,
  };
  if (upgrade !== undefined) return forwardUpgrade(backends, request, to);
  const prefix = prefixOf(request, path);
  const headers = { 'x-forwarded-uri': forwardedUri(`${prefix}/${escaped}`) };
  const answer = await forward(backends, request, to, { headers });
  const asked = request.headers['host'] ?? request.headers[':authority'] ?? '';
  return rewritten(answer, request, { prefix, backend: urlHost(host, port), asked });
}

const unreachable = (why: string): Error => serviceUnavailable(`error trying to reach service: ${why}`);

/** Returns the decoded path after `proxy`. '' if the path has not even a slash there. */
function proxiedPath({ path }: ApiRequest, { rest }: RequestInfo): string {
  const slash = path.endsWith('/') || /%2f$/i.test(path);
  const clean = cleanPath(rest.join('/'));
  if (clean === '/') return slash || rest.length > 0 ? '/' : '';
  return `${clean}${slash ? '/' : ''}`;
}

/** Returns the part of this server's path before the proxied path. */
function prefixOf({ path }: ApiRequest, behind: string): string {
  const whole = decodeURIComponent(path); // the resource lookup has already decoded it
  return whole.endsWith(behind) ? whole.slice(0, whole.length - behind.length) : whole;
}

/** Returns host and port in URL form. */
const urlHost = (host: string, port: string): string =>
  port === '' ? bracketed(host) : joinHostPort(host, Number(port));

const queryOf = ({ query, uri }: ApiRequest): string => {
  const mark = uri?.indexOf('?') ?? -1;
  if (uri !== undefined) return mark < 0 ? '' : uri.slice(mark);
  return query.size === 0 ? '' : `?${query}`;
};

/** Redirects to the path with a slash after `proxy`, because relative links in responses depend on it. */
const withSlash = (request: ApiRequest): ApiResponse => ({
  status: 301,
  headers: { location: `${request.path}/${queryOf(request)}` },
  body: '',
});

/**
 * Returns the channel of a pod's node, restricted to connections to the pod. Undefined if the node has none. Throws StatusError (503) if
 * the node is simulated.
 */
export async function wayToPod(
  find: Reader,
  backends: Backends | undefined,
  pod: Pod,
  user: string,
): Promise<Via | undefined> {
  const node = nodeNameOf(pod);
  if (backends?.channels?.find(node) !== undefined)
    return { node, purpose: { verb: 'proxy', podUID: pod.metadata.uid ?? '', container: '', user } };
  if (node !== '' && (await isOnSimulated(find, node)))
    throw simulatedTarget(`pod ${quote(`${namespaceOf(pod)}/${nameOf(pod)}`)}`, node);
  return undefined;
}

/** Whether the node is simulated. A pod whose Node was deleted is dialled directly, like upstream. */
async function isOnSimulated(find: Reader, node: string): Promise<boolean> {
  const stored = await find(NODES, node, false).catch((error: unknown) => {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  });
  return stored !== undefined && isSimulated(stored);
}

/** Serves `pods/proxy`: forwards the request to a port of the pod. */
export const podProxyEndpoint = (ports: ConnectPorts): Handler =>
  connectEndpoint(ports, POD_PROXY, async (find, { request, info, user }) => {
    const { scheme, name, port } = proxyName(info.name, 'pod');
    const pod = await find(PODS, name);
    const { spec, status } = pod;
    const [declared] = (spec.containers ?? []).flatMap(({ ports: own = [] }) => own.slice(0, 1));
    const chosen = port === '' && declared !== undefined ? String(declared.containerPort) : port;
    const host = status.podIPs?.[0]?.ip ?? '';
    if (!isProxyable(host)) throw badRequest('address not allowed');
    const via = await wayToPod(find, ports.backends, pod, user.name);
    return proxy(ports.backends, { request, info }, { host, port: chosen, scheme, via });
  });

/**
 * Serves `nodes/proxy`. Dials the kubelet's own port as for logs, and treats any other port as a port of the host. A WebSocket handshake is
 * a GET, and a kubelet runs commands over a WebSocket, so it requires the right to create, like `pods/exec`.
 */
export const nodeProxyEndpoint = (ports: ConnectPorts): Handler =>
  connectEndpoint(ports, NODE_PROXY, async (find, context) => {
    const { request, info, user } = context;
    if (request.upgrade !== undefined) await checkCreateRight(ports.authorizer, context);
    const { scheme, name, port } = proxyName(info.name, 'node');
    const { backends, target, tls } = await nodeConnection(find, name, ports.backends, {
      verb: 'proxy',
      podUID: '',
      container: '',
      user: user.name,
    });
    const { host, via, port: own } = target;
    const isKubelet = port === '' || port === String(own);
    return proxy(
      backends,
      { request, info },
      { host, via, scheme, ...(isKubelet ? { port: String(own), tls } : { port }) },
    );
  });

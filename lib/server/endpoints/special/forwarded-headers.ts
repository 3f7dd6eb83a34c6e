import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';

/** Hop-by-hop headers (RFC 9110, 7.6.1), in addition to those that `Connection` names. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** CORS response headers, which this server sets itself. */
const CORS: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

/** The prefix of a token that a browser sends as a WebSocket subprotocol. Only this server may read it. */
const BEARER_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** Returns the client's headers, each line as sent, plus the client's host and address. The credentials are already removed. */
export function forwardedHeaders(request: ApiRequest, host: string): Record<string, string | string[]> {
  const sent = linesOf(request);
  const hops = hopsOf(sent.get('connection'));
  const kept = [...sent].filter(([name]) => !name.startsWith(':') && !hops.has(name) && name !== 'content-length');
  const shown = Object.fromEntries<string | string[]>(kept);
  const protocols = withoutBearer(sent.get('sec-websocket-protocol') ?? []);
  if (protocols === '') delete shown['sec-websocket-protocol'];
  else shown['sec-websocket-protocol'] = [protocols];
  const clientHost = request.headers['host'] ?? request.headers[':authority'] ?? host;
  if (request.connection === undefined) return { ...shown, host: clientHost };
  const via = [shown['x-forwarded-for'] ?? [], request.connection.remoteAddress].flat().join(', ');
  return { ...shown, host: clientHost, 'x-forwarded-for': via };
}

/** Returns the headers of a backend's response that the client receives. */
export function passedBack({ headers }: BackendResponse): ApiResponse['headers'] {
  const hops = hopsOf([headers['connection'] ?? []].flat());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hops.has(name) && !CORS.has(name)));
}

function linesOf({ headers, rawHeaders }: ApiRequest): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  const add = (name: string, value: string): void => void lines.set(name, [...(lines.get(name) ?? []), value]);
  if (rawHeaders === undefined) for (const [name, value] of Object.entries(headers)) add(name, value ?? '');
  else
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) add(rawHeaders[i]?.toLowerCase() ?? '', rawHeaders[i + 1] ?? '');
  return lines;
}

const hopsOf = (connection: readonly string[] = []): ReadonlySet<string> =>
  new Set([...HOP_BY_HOP, ...listed(connection).map((name) => name.toLowerCase())]);

/** Joins the values into one list, because a WebSocket server may read only the first header. */
const withoutBearer = (values: readonly string[]): string =>
  listed(values)
    .filter((one) => one !== '' && !one.startsWith(BEARER_PROTOCOL))
    .join(', ');

const listed = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(',').map((one) => one.trim()));

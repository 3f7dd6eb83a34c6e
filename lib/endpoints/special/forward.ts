import type { Backends } from '#lib/channel/backends.ts';
import type { Target } from '#lib/channel/dialer.ts';
import type { BackendResponse, BackendTls } from '#lib/channel/round-tripper.ts';
import { serviceUnavailable, unclassified } from '#lib/machinery/errors.ts';
import { TransportError } from '#lib/webhook/transport.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { authorityOf } from './node-connection.ts';

/** Where a request goes. */
export interface Location {
  readonly target: Target;
  readonly tls: BackendTls;
  /** Path and query. */
  readonly path: string;
}

/** Headers that end with one connection (RFC 9110, 7.6.1), and CORS answers, which this server gives itself. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
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
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

/** A token that a browser sends as a protocol of its WebSocket: the server's to read, nobody else's. */
const BEARER_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** Passes a request on and its answer back: upstream's reverse proxy. Throws 503 where nobody answers. */
export async function forward({ roundTripper }: Backends, request: ApiRequest, to: Location): Promise<ApiResponse> {
  const { method, signal } = request;
  const body = await request.body();
  const headers = { ...forwarded(request), host: hostOf(request, to), connection: 'close' };
  const answer = await roundTripper.send({ ...to, method, headers, body, signal }).catch((error: unknown) => {
    if (error instanceof TransportError) throw serviceUnavailable(`error trying to reach service: ${error.message}`);
    throw error;
  });
  return { status: answer.status, headers: passed(answer), body: answer.body };
}

/** Passes a switch of protocols on as bytes; a refusal of the backend is the answer. Throws 500 where nobody answers. */
export async function forwardUpgrade(
  { roundTripper }: Backends,
  request: ApiRequest,
  to: Location,
): Promise<ApiResponse> {
  const { method, signal, upgrade = '' } = request;
  const headers = {
    ...forwarded(request),
    host: hostOf(request, to),
    connection: 'Upgrade',
    upgrade,
  };
  const answer = await roundTripper
    .send({ ...to, method, headers, body: new Uint8Array(), signal })
    .catch((error: unknown) => {
      if (error instanceof TransportError) throw unclassified(`error dialing backend: ${error.message}`);
      throw error;
    });
  const { status, body } = answer;
  if (status === 101 && answer.upgrade !== undefined)
    return { status, headers: { ...answer.headers }, body, upgrade: answer.upgrade };
  if (status >= 400) return { status, headers: passed(answer), body };
  await body[Symbol.asyncIterator]().return?.();
  throw unclassified(`invalid upgrade response: status code ${status}`);
}

/** The host that the client asks, as upstream: what is proxied sees under which name it is reached. */
const hostOf = ({ headers }: ApiRequest, { target }: Location): string =>
  headers['host'] ?? headers[':authority'] ?? authorityOf(target.host, target.port);

/** The client's headers, each line as it was sent, with its address. Credentials are gone already. */
function forwarded({ headers, rawHeaders, remoteAddress }: ApiRequest): Record<string, string[]> {
  const known = new Map<string, string[]>();
  const add = (name: string, value: string): void => void known.set(name, [...(known.get(name) ?? []), value]);
  if (rawHeaders === undefined) for (const [name, value] of Object.entries(headers)) add(name, value ?? '');
  else
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) add(rawHeaders[i]?.toLowerCase() ?? '', rawHeaders[i + 1] ?? '');
  const isOfConnection = ofConnection(known.get('connection'));
  const kept = [...known].filter(
    ([name]) => !name.startsWith(':') && !isOfConnection(name) && name !== 'content-length',
  );
  const shown = Object.fromEntries(kept);
  const protocols = withoutBearer(shown['sec-websocket-protocol'] ?? []);
  if (protocols === '') delete shown['sec-websocket-protocol'];
  else shown['sec-websocket-protocol'] = [protocols];
  if (remoteAddress === undefined) return shown;
  const via = [...(shown['x-forwarded-for'] ?? []), remoteAddress].join(', ');
  return { ...shown, 'x-forwarded-for': [via] };
}

const listed = (values: readonly string[]): string[] => values.flatMap((value) => value.split(/\s*,\s*/));

/** One list, however many headers it came in: a WebSocket server may look at the first alone. */
const withoutBearer = (values: readonly string[]): string =>
  listed(values)
    .filter((one) => one !== '' && !one.trim().startsWith(BEARER_PROTOCOL))
    .join(', ');

/** Which headers end with the connection: those that always do, and those that its `Connection` names. */
function ofConnection(value: string | string[] = []): (name: string) => boolean {
  const named = new Set(listed([value].flat()).map((name) => name.trim().toLowerCase()));
  return (name) => NOT_FORWARDED.has(name) || named.has(name);
}

function passed({ headers }: BackendResponse): ApiResponse['headers'] {
  const isOfConnection = ofConnection(headers['connection']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfConnection(name)));
}

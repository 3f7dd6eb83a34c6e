import { createHash } from 'node:crypto';
import { BEARER_PROTOCOL } from '#lib/server/authentication/bearer-token.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import { headerValues } from '../header-values.ts';

/** An endpoint's rules for handshakes, beyond RFC 6455. */
export interface HandshakeRules {
  /** Whether the request must have an Origin header. */
  readonly needsOrigin: boolean;
  /** Returns the subprotocol for those offered, '' for none, or the status that rejects them. */
  choose(offered: readonly string[]): string | number;
}

/** An accepted handshake. */
export interface Handshake {
  /** The subprotocol, '' for none. */
  readonly protocol: string;
  readonly headers: Readonly<Record<string, string>>;
}

const VERSION = '13';
/** The GUID of RFC 6455, 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Whether the client requests a WebSocket and the front door can switch protocols. */
export const asksForWebSocket = ({ upgrade }: ApiRequest): boolean => upgrade?.toLowerCase() === 'websocket';

/** Accepts a client's request for a WebSocket, or returns a rejection with the text of upstream's WebSocket server. */
export function handshake(request: ApiRequest, rules: HandshakeRules): Handshake | ApiResponse {
  const { method, headers } = request;
  if (method !== 'GET') return refusal(405, 'bad method');
  const key = headers['sec-websocket-key'] ?? '';
  if (key === '') return refusal(400, 'mismatch challenge/response');
  if (headers['sec-websocket-version'] !== VERSION)
    return refusal(400, 'missing or bad WebSocket Version', { 'sec-websocket-version': VERSION });
  const protocol = rules.choose(offered(request));
  if (rules.needsOrigin && !isOrigin(headers['origin'] ?? '')) return refusal(403);
  if (typeof protocol === 'number') return refusal(protocol);
  const agreed = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': acceptOf(key) };
  return { protocol, headers: protocol === '' ? agreed : { ...agreed, 'sec-websocket-protocol': protocol } };
}

/** Returns the Sec-WebSocket-Accept for the client's key (RFC 6455, 4.2.2). */
export const acceptOf = (key: string): string => createHash('sha1').update(`${key}${GUID}`).digest('base64');

const refusal = (status: number, body = '', more = {}): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...more },
  body,
});

/** Returns the subprotocols that the client offers. Omits the one with the token, which is already read and must never be accepted. */
const offered = (request: ApiRequest): string[] =>
  headerValues(request, 'sec-websocket-protocol')
    .flatMap((value) => value.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith(BEARER_PROTOCOL));

/** Whether it is a URL or a path, according to Go's ParseRequestURI. */
const isOrigin = (origin: string): boolean => origin.startsWith('/') || URL.canParse(origin);

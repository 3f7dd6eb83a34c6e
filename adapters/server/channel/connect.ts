import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import type { UnsignedRequest } from '#lib/server/authentication/node-assertion/claims.ts';
import type { Connection } from '#lib/server/channel/agent-channel.ts';
import { MAX_MESSAGE } from '#lib/server/channel/frame.ts';
import { CHANNEL_PROTOCOL } from '#lib/server/endpoints/special/node-channel.ts';
import { openWebSocket } from './web-socket.ts';

/** The API server of a channel, and the credentials of the node. */
export interface ChannelServer {
  /** The server's https URL. */
  readonly url: string;
  /** CA certificates that verify the server, PEM. */
  readonly caBundle: string;
  /** The node's certificate and key, PEM. */
  readonly certificate: string;
  readonly key: string;
  /** Returns the headers that authenticate a request without a client certificate. Default: none. */
  signed?(request: UnsignedRequest): Readonly<Record<string, string>>;
}

/** Time-out in ms for a connection to open. */
const TIMEOUT = 10_000;

/** Opens the channel of a node over a WebSocket. Rejects if the server is unreachable, and with the server's message if it refuses. */
export function connectChannel(
  server: ChannelServer,
  node: string,
  message: (bytes: Uint8Array) => void,
  signal: AbortSignal,
): Promise<Connection> {
  const { hostname } = new URL(server.url);
  const path = `/apis/node.davit.dev/v1/nodes/${encodeURIComponent(node)}/channel`;
  const request = { method: 'GET', path, query: new URLSearchParams(), body: new Uint8Array() };
  return openWebSocket(
    `${server.url}${path}`,
    {
      ca: server.caBundle,
      cert: server.certificate,
      key: server.key,
      allowPartialTrustChain: true,
      ...(isAddr(hostname) ? {} : { servername: hostname }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      headers: { 'sec-websocket-protocol': CHANNEL_PROTOCOL, ...server.signed?.(request) },
    },
    { limit: MAX_MESSAGE, message },
  );
}

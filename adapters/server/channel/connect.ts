import { isIP } from 'node:net';
import type { UnsignedRequest } from '#lib/server/authentication/node-assertion/claims.ts';
import type { Connection } from '#lib/server/channel/agent-channel.ts';
import { MAX_MESSAGE } from '#lib/server/channel/frame.ts';
import { CHANNEL_PROTOCOL } from '#lib/server/endpoints/special/node-channel.ts';
import { openWebSocket } from './web-socket.ts';

/** The API server of a channel, and by what it knows the node. */
export interface ChannelServer {
  /** An https URL. */
  readonly url: string;
  /** PEM; verifies the server. */
  readonly caBundle: string;
  /** The node's certificate and key, PEM. */
  readonly certificate: string;
  readonly key: string;
  /** The headers of a request whose sender no certificate names, by its path. Default none. */
  signed?(request: UnsignedRequest): Readonly<Record<string, string>>;
}

/** Milliseconds that a connection has to stand. */
const TIMEOUT = 10_000;

/** Opens the channel of a node by a WebSocket. Rejects where the server cannot be reached, and with its message where it refuses. */
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
      ...(isIP(hostname) > 0 ? {} : { servername: hostname }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      headers: { 'sec-websocket-protocol': CHANNEL_PROTOCOL, ...server.signed?.(request) },
    },
    { limit: MAX_MESSAGE, message },
  );
}

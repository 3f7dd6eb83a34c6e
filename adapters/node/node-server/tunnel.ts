import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type NodeAnswer, textAnswer } from '#lib/node/kubelet/server/node-request.ts';
import { SessionFrames } from '#lib/node/kubelet/server/session-frames.ts';
import { spdyProtocol } from '#lib/node/kubelet/server/session-protocol.ts';
import { TUNNEL_PROTOCOL } from '#lib/node/kubelet/server/streams.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { CLOSE } from '#lib/server/endpoints/web-socket/frame.ts';
import { acceptOf } from '#lib/server/endpoints/web-socket/handshake.ts';
import { MessageSocket } from '#lib/server/endpoints/web-socket/message-socket.ts';
import { type Client, incoming } from './client-stream.ts';
import { headOf } from './runtime-answer.ts';
import { relaySession, type SessionClient } from './session-relay.ts';

/** Maximum bytes of a client's message. Clients write in the sizes in which they read, some in pieces of 32 KiB. */
const MAX_MESSAGE = 1024 * 1024;

/** Unwraps SPDY from the client's WebSocket, and wraps the runtime's SPDY in it (upstream: translator.NewTunnelingHandler). */
export async function tunnelled(
  request: IncomingMessage,
  { socket, head }: Client,
  runtime: Socket,
  { host, pathname, search }: URL,
): Promise<NodeAnswer | undefined> {
  const key = request.headers['sec-websocket-key'] ?? '';
  if (request.method !== 'GET' || key === '' || request.headers['sec-websocket-version'] !== '13')
    return textAnswer(400, 'bad handshake of a WebSocket\n');
  const protocol = protocolOf(request);
  runtime.write(
    `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n` +
      `X-Stream-Protocol-Version: ${protocol}\r\nContent-Length: 0\r\n\r\n`,
  );
  const status = /^HTTP\/1\.1 (\d{3})/.exec(await headOf(runtime))?.[1] ?? '';
  if (status !== '101') return textAnswer(500, `invalid upgrade response: status code ${status}\n`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${acceptOf(key)}\r\nSec-WebSocket-Protocol: ${TUNNEL_PROTOCOL}\r\n\r\n`,
  );
  await relaySession(tunnelEnd({ socket, head }), runtime, new SessionFrames(spdyProtocol(protocol)));
  return undefined;
}

/** The protocol inside SPDY. It follows from the tunnel's name only for port-forward. */
const protocolOf = ({ url = '' }: IncomingMessage): string =>
  url.startsWith('/portForward/') ? 'portforward.k8s.io' : 'v4.channel.k8s.io';

/** The client's end of the tunnel: the bytes in the client's messages. The runtime's end closes the WebSocket. */
function tunnelEnd({ socket, head }: Client): SessionClient {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const messages = writable.getWriter();
  const web = new MessageSocket({
    isClient: false,
    limit: MAX_MESSAGE,
    message: (payload) => messages.write(payload), // resolves when the reader has read it
  });
  const received = web.receive(incoming({ socket, head }));
  void received.then(() => messages.close()).catch(() => undefined); // the reader of the frames has stopped and reported the reason
  void pump(web, socket);
  return {
    incoming: readable,
    write: (bytes) => (bytes.length > 0 ? web.send(bytes) : Promise.resolve()),
    end: () => web.close(''),
    destroy: () => void socket.destroy(),
    fail: (reason) => web.close(reason, CLOSE.internalError),
  };
}

/** Writes frames as fast as the client accepts them. */
async function pump(web: MessageSocket, socket: Duplex): Promise<void> {
  for await (const bytes of web.outgoing) {
    if (socket.destroyed) break;
    if (!socket.write(bytes)) await comes('drain', socket);
  }
  socket.end();
}

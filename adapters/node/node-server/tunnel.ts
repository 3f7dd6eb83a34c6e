import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type NodeAnswer, textAnswer } from '#lib/node/kubelet/server/node-request.ts';
import { TUNNEL_PROTOCOL } from '#lib/node/kubelet/server/streams.ts';
import { acceptOf } from '#lib/server/endpoints/web-socket/handshake.ts';
import { MessageSocket } from '#lib/server/endpoints/web-socket/message-socket.ts';
import { type Client, headOf } from './runtime-answer.ts';

/** Bytes of a client's message at most: clients write what they read, some 32 KiB. */
const MAX_MESSAGE = 1024 * 1024;

/** Takes SPDY out of the client's WebSocket and puts the runtime's in (upstream: translator.NewTunnelingHandler). */
export async function tunnelled(
  request: IncomingMessage,
  { socket, head }: Client,
  runtime: Socket,
  { host, pathname, search }: URL,
): Promise<NodeAnswer | undefined> {
  const key = request.headers['sec-websocket-key'] ?? '';
  if (request.method !== 'GET' || key === '' || request.headers['sec-websocket-version'] !== '13')
    return textAnswer(400, 'bad handshake of a WebSocket\n');
  runtime.write(
    `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n` +
      `X-Stream-Protocol-Version: ${protocolOf(request)}\r\nContent-Length: 0\r\n\r\n`,
  );
  const status = /^HTTP\/1\.1 (\d{3})/.exec(await headOf(runtime))?.[1] ?? '';
  if (status !== '101') return textAnswer(500, `invalid upgrade response: status code ${status}\n`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${acceptOf(key)}\r\nSec-WebSocket-Protocol: ${TUNNEL_PROTOCOL}\r\n\r\n`,
  );
  const web = new MessageSocket({
    isClient: false,
    limit: MAX_MESSAGE,
    message: (payload) => void runtime.write(payload),
  });
  const received = web.receive(bytesOf(socket, head, runtime)).finally(() => runtime.end());
  await Promise.allSettled([received, sent(web, runtime), pump(web, socket)]);
  return undefined;
}

/** The protocol inside of SPDY: the tunnel's name tells it of port-forward alone. */
const protocolOf = ({ url = '' }: IncomingMessage): string =>
  url.startsWith('/portForward/') ? 'portforward.k8s.io' : 'v4.channel.k8s.io';

/** The client's bytes, as fast as the runtime takes what is in them. */
async function* bytesOf(socket: Duplex, head: Buffer, runtime: Socket): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for await (const chunk of socket) {
    if (chunk instanceof Uint8Array) yield chunk;
    if (runtime.writableNeedDrain) await Promise.race([once(runtime, 'drain'), once(runtime, 'close')]);
    if (runtime.destroyed) return;
  }
}

/** The runtime's bytes as messages; its end closes the WebSocket. */
async function sent(web: MessageSocket, runtime: Socket): Promise<void> {
  try {
    for await (const chunk of runtime) if (chunk instanceof Uint8Array) await web.send(chunk);
  } finally {
    web.close('');
  }
}

/** Writes frames as fast as the client takes them. */
async function pump(web: MessageSocket, socket: Duplex): Promise<void> {
  for await (const bytes of web.outgoing) {
    if (socket.destroyed) break;
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  socket.end();
}

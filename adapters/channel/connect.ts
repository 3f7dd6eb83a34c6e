import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from '#lib/channel/agent-channel.ts';
import { MAX_MESSAGE } from '#lib/channel/frame.ts';
import { CHANNEL_PROTOCOL } from '#lib/endpoints/special/node-channel.ts';
import { acceptOf } from '#lib/endpoints/web-socket/handshake.ts';
import { MessageSocket } from '#lib/endpoints/web-socket/message-socket.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';

/** The API server of a channel, and by what it knows the node. */
export interface ChannelServer {
  /** An https URL. */
  readonly url: string;
  /** PEM; verifies the server. */
  readonly caBundle: string;
  /** The node's certificate and key, PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** Milliseconds that a connection has to stand. */
const TIMEOUT = 10_000;
/** Milliseconds after which a silent server is asked whether it is there: less than what NATs forget connections after. */
const PROBE = 30_000;
/** Bytes of a refusal that are read. */
const MAX_REFUSAL = 16 * 1024;

/** Opens the channel of a node by a WebSocket. Rejects where the server cannot be reached, and with its message where it refuses. */
export async function connectChannel(
  server: ChannelServer,
  node: string,
  message: (bytes: Uint8Array) => void,
  signal: AbortSignal,
): Promise<Connection> {
  const { socket, head } = await upgraded(server, node, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]));
  const web = new MessageSocket({ isClient: true, limit: MAX_MESSAGE, message });
  void web.receive(bytesOf(socket, head)).finally(() => socket.destroy());
  void pump(web, socket);
  return web;
}

async function upgraded(
  server: ChannelServer,
  node: string,
  signal: AbortSignal,
): Promise<{ socket: Duplex; head: Buffer }> {
  const key = randomBytes(16).toString('base64');
  const { hostname } = new URL(server.url);
  const outgoing = httpsRequest(`${server.url}/apis/node.davit.dev/v1/nodes/${encodeURIComponent(node)}/channel`, {
    ca: server.caBundle,
    cert: server.certificate,
    key: server.key,
    allowPartialTrustChain: true,
    ...(isIP(hostname) > 0 ? {} : { servername: hostname }),
    agent: false,
    signal,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      'sec-websocket-protocol': CHANNEL_PROTOCOL,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<{ socket: Duplex; head: Buffer }>();
  outgoing
    .on('error', reject)
    .on('response', (answer) => void refusalOf(answer).then(reject, reject))
    .on('upgrade', (answer, socket, head) => {
      socket.on('error', () => {}); // its end is told by what is read
      socket.setKeepAlive(true, PROBE);
      if (answer.headers['sec-websocket-accept'] === acceptOf(key)) resolve({ socket, head });
      else reject(new Error('the server answers the handshake of the WebSocket wrongly'));
    })
    .end();
  return promise;
}

/** The server's message, or its status. */
async function refusalOf(answer: IncomingMessage): Promise<Error> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_REFUSAL) break;
  }
  const text = Buffer.concat(chunks).toString();
  return new Error(messageOf(text) ?? `the server answers ${answer.statusCode}`);
}

function messageOf(text: string): string | undefined {
  try {
    const { value } = decodeJson(Buffer.from(text));
    return isObject(value) ? stringAt(value, 'message') : undefined;
  } catch {
    return undefined;
  }
}

async function* bytesOf(socket: Duplex, head: Buffer): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for await (const chunk of socket) yield chunk as Uint8Array;
}

/** Writes frames as fast as the server takes them. */
async function pump(web: MessageSocket, socket: Duplex): Promise<void> {
  const gone = once(socket, 'close');
  for await (const bytes of web.outgoing) {
    if (socket.destroyed) break;
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), gone]);
  }
  socket.end();
}

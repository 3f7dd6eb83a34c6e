import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { acceptOf } from '#lib/server/endpoints/web-socket/handshake.ts';
import { MessageSocket, type MessageSocketOptions } from '#lib/server/endpoints/web-socket/message-socket.ts';

/** Time in ms without data after which the server gets a ping. It is shorter than the time after which NATs drop connections. */
const PROBE = 30_000;
/** Maximum bytes of an error response that are read. */
const MAX_REFUSAL = 16 * 1024;

/** Opens a WebSocket at an https or http URL. Rejects if the server is unreachable, and with the server's message if it refuses. */
export async function openWebSocket(
  url: string,
  { headers, ...options }: Omit<RequestOptions, 'headers'> & { readonly headers: Readonly<Record<string, string>> },
  how: Omit<MessageSocketOptions, 'isClient'>,
): Promise<MessageSocket> {
  const key = randomBytes(16).toString('base64');
  const asked = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    ...headers,
  };
  const send = url.startsWith('http:') ? httpRequest : httpsRequest;
  const { socket, head } = await upgraded(send(url, { ...options, agent: false, headers: asked }), key);
  const web = new MessageSocket({ ...how, isClient: true });
  void web.receive(bytesOf(socket, head)).finally(() => socket.destroy());
  void pump(web, socket);
  return web;
}

function upgraded(outgoing: ClientRequest, key: string): Promise<{ socket: Duplex; head: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ socket: Duplex; head: Buffer }>();
  outgoing
    .on('error', reject)
    .on('response', (answer) => void refusalOf(answer).then(reject, reject))
    .on('upgrade', (answer, socket, head) => {
      socket.on('error', () => {}); // the reader notices the end
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

/** Writes frames as fast as the server accepts them. */
async function pump(web: MessageSocket, socket: Duplex): Promise<void> {
  for await (const bytes of web.outgoing) {
    if (socket.destroyed) break;
    if (!socket.write(bytes)) await comes('drain', socket);
  }
  socket.end();
}

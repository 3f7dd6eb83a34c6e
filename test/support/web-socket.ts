import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { frames, type Message, masked } from './kubelet/web-socket.ts';
import type { Reached } from './requester.ts';

const MASK = Buffer.from([0x12, 0x34, 0x56, 0x78]);

/** A frame as clients send it. `first` has the bits of its first byte other than the opcode. */
export function maskedFrame(opcode: number, payload: Uint8Array | string, first = 0x80): Buffer {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 1 << 16 ? 4 : 10);
  head[0] = first | opcode;
  head[1] = 0x80 | (head.length === 2 ? bytes.length : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, MASK, masked(bytes, MASK)]);
}

/** Headers that request a WebSocket. */
export const ASKING = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  origin: 'https://console.test',
} as const;

/** A WebSocket, or the response that rejected it. */
export class WebSocketClient {
  readonly answer: IncomingMessage;
  readonly #socket: Duplex;
  readonly #frames: AsyncGenerator<Message>;

  private constructor(answer: IncomingMessage, socket: Duplex, head: Uint8Array) {
    this.answer = answer;
    this.#socket = socket;
    socket.on('error', () => {}); // a test may close it abruptly
    socket.unshift(head);
    this.#frames = frames(socket);
  }

  /** Connects as the administrator. Throws the status and the response's text if the server rejects the connection. */
  static async open(
    server: Reached,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WebSocketClient> {
    const { url, adminToken, certificateAuthority: ca } = server;
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const all = { authorization: `Bearer ${adminToken}`, ...ASKING, ...headers };
    const asked = request(`${url}${path}`, {
      ca,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    });
    const switched = once(asked, 'upgrade') as Promise<[IncomingMessage, Duplex, Buffer]>;
    const refused = once(asked, 'response') as Promise<[IncomingMessage]>;
    asked.end();
    const [answer, socket, head] = await Promise.race([switched, refused]);
    if (socket !== undefined && head !== undefined) return new WebSocketClient(answer, socket, head);
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    throw new Error(`${answer.statusCode} ${text}`.trim());
  }

  /**
   * The next frame as `opcode:text`. Bytes that are not text are decoded as latin1. A close frame is `8:status`, and `end` follows the last
   * frame.
   */
  async next(): Promise<string> {
    const { value, done } = await this.#frames.next();
    if (done === true) return 'end';
    const { opcode, payload } = value;
    if (opcode === OPCODE.close) return `8:${payload.readUInt16BE()}`;
    return `${opcode}:${payload.toString(opcode === OPCODE.binary ? 'latin1' : 'utf8')}`;
  }

  /** The JSON of the next message. */
  async event<T>(): Promise<T> {
    return JSON.parse((await this.next()).replace(/^1:/, '')) as T;
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.send(maskedFrame(OPCODE.close, Buffer.from([0x03, 0xe8])));
  }

  /** Disconnects without a close frame. */
  leave(): void {
    this.#socket.destroy();
  }
}

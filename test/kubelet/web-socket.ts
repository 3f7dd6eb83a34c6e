import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';

/** A message of a client, unmasked. A control frame is one of its own. */
export interface Message {
  readonly opcode: number;
  readonly payload: Buffer;
}

const CONTINUATION = 0;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const NORMAL_CLOSURE = Buffer.from([0x03, 0xe8]);

/** Protocols that the client named, the best first. */
export const protocolsOf = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(/, */).filter((one) => one !== '');

/** The server's end of a WebSocket (RFC 6455). */
export class WebSocketPeer {
  readonly #socket: Duplex;

  /** Accepts the client's request, in the protocol. */
  constructor({ headers }: IncomingMessage, socket: Duplex, protocol: string) {
    this.#socket = socket;
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
  }

  /** Binary messages until the client closes. Pings are answered. */
  async *messages(): AsyncGenerator<Buffer> {
    for await (const { opcode, payload } of whole(frames(this.#socket))) {
      if (opcode === CLOSE) return;
      if (opcode === PING) this.#send(PONG, payload);
      if (opcode === BINARY) yield payload;
    }
  }

  /** Calls `done` when the message has left. */
  send(payload: Uint8Array, done?: () => void): void {
    this.#send(BINARY, payload, done);
  }

  /** Says goodbye and ends the connection. */
  close(): void {
    this.#send(CLOSE, NORMAL_CLOSURE);
    this.#socket.end();
  }

  #send(opcode: number, payload: Uint8Array, done?: () => void): void {
    if (this.#socket.writable) this.#socket.write(frame(opcode, payload), done);
    else done?.();
  }
}

/** A stream of bytes in binary messages: kubectl's tunnel. */
export function tunnelOf(peer: WebSocketPeer): Duplex {
  const messages = peer.messages();
  const tunnel = new Duplex({
    read() {
      messages.next().then(
        ({ done, value }) => tunnel.push(done === true ? null : value),
        () => tunnel.destroy(),
      );
    },
    write: (chunk: Buffer, _encoding, done) => peer.send(chunk, done),
    final(done) {
      peer.close();
      done();
    },
  });
  return tunnel;
}

function frame(opcode: number, payload: Uint8Array): Buffer {
  const size = payload.length;
  const head = Buffer.alloc(size < 126 ? 2 : size < 1 << 16 ? 4 : 10);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(size < 126 ? size : size < 1 << 16 ? 126 : 127, 1);
  if (head.length === 4) head.writeUInt16BE(size, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, payload]);
}

interface Frame extends Message {
  readonly isLast: boolean;
}

/** Joins the fragments of a message. Control frames may come between them. */
async function* whole(incoming: AsyncIterable<Frame>): AsyncGenerator<Message> {
  let opcode = CONTINUATION;
  let parts: Buffer[] = [];
  for await (const one of incoming) {
    if (one.opcode >= CLOSE) {
      yield one;
      continue;
    }
    if (one.opcode !== CONTINUATION) opcode = one.opcode;
    parts.push(one.payload);
    if (!one.isLast) continue;
    yield { opcode, payload: Buffer.concat(parts) };
    parts = [];
  }
}

async function* frames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let next = first(bytes); next !== undefined; next = first(bytes)) {
      yield next.frame;
      bytes = bytes.subarray(next.size);
    }
  }
}

function first(bytes: Buffer): { readonly frame: Frame; readonly size: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const head = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < head + 4) return undefined;
  const length = head === 10 ? Number(bytes.readBigUInt64BE(2)) : head === 4 ? bytes.readUInt16BE(2) : short;
  const size = head + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(head, head + 4);
  const payload = Buffer.from(bytes.subarray(head + 4, size));
  for (let i = 0; i < payload.length; i++) payload[i] = payload.readUInt8(i) ^ mask.readUInt8(i % 4);
  const opcode = bytes.readUInt8(0);
  return { frame: { opcode: opcode & 0x0f, payload, isLast: opcode >= 0x80 }, size };
}

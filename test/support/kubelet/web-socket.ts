import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { closeFrame, frame, OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';

/** An unmasked message from either side. A control frame is a separate message. */
export interface Message {
  readonly opcode: number;
  readonly payload: Buffer;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const NORMAL_CLOSURE = 1000;
/** The subprotocol for kubectl's SPDY inside a WebSocket. */
export const TUNNEL = 'SPDY/3.1+portforward.k8s.io';

/** The client's protocols, in order of preference. */
export const protocolsOf = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(/, */).filter((one) => one !== '');

/** The server's end of a WebSocket (RFC 6455). */
export class WebSocketPeer {
  readonly #socket: Duplex;

  /** Accepts the client's request with the protocol. */
  constructor({ headers }: IncomingMessage, socket: Duplex, protocol: string) {
    this.#socket = socket;
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
  }

  /** Binary messages until the client closes. Pings are answered with pongs. */
  async *messages(): AsyncGenerator<Buffer> {
    for await (const { opcode, payload } of whole(frames(this.#socket))) {
      if (opcode === OPCODE.close) return;
      if (opcode === OPCODE.ping) this.#send(frame(OPCODE.pong, payload));
      if (opcode === OPCODE.binary) yield payload;
    }
  }

  /** Calls `done` when the message has been sent. */
  send(payload: Uint8Array, done?: () => void): void {
    this.#send(frame(OPCODE.binary, payload), done);
  }

  /** Sends a close frame and ends the connection. */
  close(): void {
    this.#send(closeFrame(NORMAL_CLOSURE));
    this.#socket.end();
  }

  #send(bytes: Uint8Array, done?: () => void): void {
    if (this.#socket.writable) this.#socket.write(bytes, done);
    else done?.();
  }
}

/** A stream of bytes in binary messages, as in kubectl's tunnel. */
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
  tunnel.on('error', () => {}); // the client has disconnected
  return tunnel;
}

interface Frame extends Message {
  readonly isLast: boolean;
}

/** Joins the fragments of a message. Control frames may come in between. */
async function* whole(incoming: AsyncIterable<Frame>): AsyncGenerator<Message> {
  let opcode: number = OPCODE.continuation;
  let parts: Buffer[] = [];
  for await (const one of incoming) {
    if (one.opcode >= OPCODE.close) {
      yield one;
      continue;
    }
    if (one.opcode !== OPCODE.continuation) opcode = one.opcode;
    parts.push(one.payload);
    if (!one.isLast) continue;
    yield { opcode, payload: Buffer.concat(parts) };
    parts = [];
  }
}

/** The frames from either side. */
export async function* frames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
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
  const start = bytes.readUInt8(1) < 0x80 ? head : head + 4; // a server does not mask frames
  if (bytes.length < start) return undefined;
  const length = head === 10 ? Number(bytes.readBigUInt64BE(2)) : head === 4 ? bytes.readUInt16BE(2) : short;
  const size = start + length;
  if (bytes.length < size) return undefined;
  const payload = Buffer.from(masked(bytes.subarray(start, size), bytes.subarray(head, start)));
  const opcode = bytes.readUInt8(0);
  return { frame: { opcode: opcode & 0x0f, payload, isLast: opcode >= 0x80 }, size };
}

/** Masks or unmasks the payload. An empty mask leaves it unchanged. */
export const masked = (payload: Uint8Array, mask: Uint8Array): Uint8Array =>
  mask.length === 0 ? payload : payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0));

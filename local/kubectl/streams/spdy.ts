import { Duplex } from 'node:stream';
import { comes } from '#lib/server/channel/comes.ts';

/** Types of control frames (SPDY/3.1, 2.6), and the flag of a stream's last frame. */
const SYN_STREAM = 1;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const FIN = 1;
const CANCEL = 5;
const HEAD = 8;
/** The largest data frame to send, in bytes. */
const MAX_DATA = 32 * 1024;
/** The start of a zlib stream without a dictionary. An empty block makes readers flush earlier data. */
const ZLIB_HEAD = Buffer.from([0x78, 0x01]);
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff]);

interface Frame {
  /** Undefined for a data frame. */
  readonly type: number | undefined;
  readonly stream: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
}

/**
 * The client side of a SPDY/3.1 connection to a container runtime. Kubelets use SPDY for exec, attach and port-forward. These peers have no
 * flow control, so an unread stream blocks the others. Response headers are not read.
 */
export class SpdyConnection {
  readonly #connection: Duplex;
  readonly #streams = new Map<number, SpdyStream>();
  #next = 1;
  /** Resolves when the connection has ended. */
  readonly over: Promise<void>;

  constructor(connection: Duplex) {
    this.#connection = connection;
    connection.on('error', () => undefined); // a read reports that it has ended
    this.over = this.#read();
  }

  /** Opens a stream. Header names must be lower case. */
  open(headers: Readonly<Record<string, string>>): Duplex {
    const id = this.#next;
    this.#next += 2;
    const stream = new SpdyStream(
      (bytes, sent) => this.#send(id, bytes, sent),
      () => this.#reset(id),
    );
    this.#streams.set(id, stream);
    const block = headerBlock(headers, { isFirst: id === 1 });
    this.#connection.write(control(SYN_STREAM, [uint32(id), uint32(0), Buffer.alloc(2), block]));
    return stream;
  }

  /** Closes the connection and aborts open streams. */
  close(): void {
    this.#connection.destroy();
  }

  #send(id: number, bytes: Buffer | undefined, sent: () => void): void {
    if (!this.#connection.writable) sent();
    else this.#connection.write(data(id, bytes), () => sent());
  }

  #reset(id: number): void {
    if (this.#connection.writable) this.#connection.write(control(RST_STREAM, [uint32(id), uint32(CANCEL)]));
  }

  async #read(): Promise<void> {
    try {
      for await (const frame of frames(this.#connection)) {
        if (frame.type === GOAWAY) break;
        await this.#take(frame);
      }
    } catch {
      // the connection broke
    } finally {
      for (const stream of this.#streams.values()) stream.push(null);
      this.#connection.destroy();
    }
  }

  async #take({ type, stream: id, payload, isLast }: Frame): Promise<void> {
    if (type === PING && isOfServer(payload)) this.#connection.write(control(PING, [payload]));
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (type === undefined) await stream.receive(payload);
    if (type === RST_STREAM || isLast) {
      this.#streams.delete(id);
      stream.push(null);
    }
  }
}

class SpdyStream extends Duplex {
  readonly #send: (bytes: Buffer | undefined, sent: () => void) => void;
  readonly #reset: () => void;

  constructor(send: (bytes: Buffer | undefined, sent: () => void) => void, reset: () => void) {
    super();
    this.#send = send;
    this.#reset = reset;
    this.on('error', () => undefined);
  }

  /** Resolves when the reader has room for more. */
  async receive(payload: Buffer): Promise<void> {
    if (this.destroyed || payload.length === 0 || this.push(payload)) return;
    await comes('room', this);
  }

  override _read(): void {
    this.emit('room');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (let at = 0; at < chunk.length; at += MAX_DATA) {
      const isLast = at + MAX_DATA >= chunk.length;
      this.#send(chunk.subarray(at, at + MAX_DATA), isLast ? done : () => undefined);
    }
  }

  override _final(done: () => void): void {
    this.#send(undefined, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished || !this.readableEnded) this.#reset();
    done(error);
  }
}

/** Whether the server sent a ping of its own, which has an even number. Other pings are replies to the client's. */
const isOfServer = (ping: Buffer): boolean => (ping.at(-1) ?? 1) % 2 === 0;

async function* frames(connection: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of connection) {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    while (bytes.length >= HEAD && bytes.length >= HEAD + bytes.readUIntBE(5, 3)) {
      const end = HEAD + bytes.readUIntBE(5, 3);
      yield frameIn(bytes.subarray(0, end));
      bytes = bytes.subarray(end);
    }
  }
}

function frameIn(bytes: Buffer): Frame {
  const payload = bytes.subarray(HEAD);
  const isControl = bytes.readUInt8(0) >= 0x80;
  const type = isControl ? bytes.readUInt16BE(2) : undefined;
  const named = isControl ? payload : bytes;
  const stream = type === PING || named.length < 4 ? 0 : named.readUInt32BE(0) & 0x7f_ff_ff_ff;
  return { type, stream, isLast: (bytes.readUInt8(4) & FIN) !== 0, payload };
}

function control(type: number, parts: readonly Uint8Array[]): Buffer {
  const payload = Buffer.concat(parts);
  const head = Buffer.from([0x80, 3, 0, type, 0, 0, 0, 0]);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** A data frame. An empty one is the last of its stream. */
function data(id: number, bytes?: Buffer): Buffer {
  const head = Buffer.concat([uint32(id), Buffer.from([bytes === undefined ? FIN : 0, 0, 0, 0])]);
  head.writeUIntBE(bytes?.length ?? 0, 5, 3);
  return Buffer.concat([head, bytes ?? Buffer.alloc(0)]);
}

/** An uncompressed header block. All blocks of a connection form one zlib stream. */
function headerBlock(headers: Readonly<Record<string, string>>, { isFirst }: { readonly isFirst: boolean }): Buffer {
  const entries = Object.entries(headers);
  const plain = Buffer.concat([
    uint32(entries.length),
    ...entries.flat().flatMap((text) => [uint32(Buffer.byteLength(text)), Buffer.from(text)]),
  ]);
  const size = Buffer.alloc(5);
  size.writeUInt16LE(plain.length, 1);
  size.writeUInt16LE(plain.length ^ 0xff_ff, 3);
  return Buffer.concat([isFirst ? ZLIB_HEAD : Buffer.alloc(0), size, plain, FLUSH]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

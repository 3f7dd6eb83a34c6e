import { Duplex } from 'node:stream';
import { HeaderReader } from '#lib/node/kubelet/server/spdy-headers.ts';
import { emptyHeaders } from './spdy-headers.ts';

/** Types of control frames (SPDY/3.1, 2.6). */
const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;

const FIN = 1;
const CANCEL = 5;
const MAX_DATA = 1 << 16;
const HEAD = 8;

interface Frame {
  /** Undefined for a data frame. */
  readonly type: number | undefined;
  readonly stream: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
}

/** A stream that the client has opened. It ends with the client's FIN. `end` sends the server's FIN, and `destroy` resets it. */
export interface SpdyStream extends Duplex {
  readonly id: number;
  /** Header names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * The server side of a SPDY/3.1 connection as in kubelets: without flow control, because Kubernetes peers send no window updates.
 * `onStream` is called with each stream after its response was sent. The returned function sends GOAWAY and ends the connection.
 */
export function serveSpdy(connection: Duplex, onStream: (stream: SpdyStream) => void): () => void {
  const streams = new Map<number, SpdyStream>();
  const headers = new HeaderReader();
  let answered = 0;
  const open = ({ stream: id, payload, isLast }: Frame): void => {
    const stream = streamOf(connection, id, headers.next(payload.subarray(10)));
    streams.set(id, stream);
    connection.write(control(SYN_REPLY, [uint32(id), emptyHeaders({ isFirst: answered++ === 0 })]));
    if (isLast) stream.push(null);
    onStream(stream);
  };
  const act = (frame: Frame): void => {
    const stream = streams.get(frame.stream);
    if (frame.type === SYN_STREAM) open(frame);
    else if (frame.type === PING) connection.write(control(PING, [frame.payload]));
    else if (frame.type === RST_STREAM) stream?.destroy();
    else if (frame.type === GOAWAY) connection.end();
    else if (frame.type === undefined && stream?.destroyed === false) {
      if (frame.payload.length > 0) stream.push(frame.payload);
      if (frame.isLast) stream.push(null);
    }
  };
  const end = (): void => {
    connection.end(control(GOAWAY, [uint32(Math.max(0, ...streams.keys())), uint32(0)]));
  };
  void (async () => {
    for await (const frame of frames(connection)) act(frame);
  })()
    .catch(() => connection.destroy())
    .finally(() => {
      for (const stream of streams.values()) stream.destroy();
    });
  return end;
}

function streamOf(connection: Duplex, id: number, headers: ReadonlyMap<string, string>): SpdyStream {
  const send = (flags: number, bytes: Uint8Array, done: () => void): void => {
    if (connection.writable) connection.write(data(id, flags, bytes), done);
    else done();
  };
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += MAX_DATA) {
        const rest = chunk.subarray(at, at + MAX_DATA);
        send(0, rest, at + MAX_DATA < chunk.length ? () => {} : done);
      }
    },
    final: (done) => send(FIN, Buffer.alloc(0), done),
    destroy(error, done) {
      if (!stream.writableFinished && connection.writable)
        connection.write(control(RST_STREAM, [uint32(id), uint32(CANCEL)]));
      done(error);
    },
  });
  stream.on('error', () => {});
  return Object.assign(stream, { id, headers });
}

async function* frames(connection: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of connection) {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= HEAD && bytes.length >= HEAD + bytes.readUIntBE(5, 3)) {
      const end = HEAD + bytes.readUIntBE(5, 3);
      yield frameIn(bytes.subarray(0, end));
      bytes = bytes.subarray(end);
    }
  }
}

function frameIn(bytes: Buffer): Frame {
  const payload = Buffer.from(bytes.subarray(HEAD));
  const isControl = bytes.readUInt8(0) >= 0x80;
  const type = isControl ? bytes.readUInt16BE(2) : undefined;
  const hasId = type === SYN_STREAM || type === RST_STREAM;
  const stream = isControl ? (hasId ? payload.readUInt32BE(0) : 0) : bytes.readUInt32BE(0);
  return { type, stream, isLast: (bytes.readUInt8(4) & FIN) !== 0, payload };
}

function control(type: number, parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const head = Buffer.from([0x80, 3, 0, type, 0, 0, 0, 0]);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function data(id: number, flags: number, payload: Uint8Array): Buffer {
  const head = Buffer.concat([uint32(id), Buffer.from([flags, 0, 0, 0])]);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

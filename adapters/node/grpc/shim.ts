import type { Socket } from 'node:net';
import { Duplex, Transform } from 'node:stream';
import { replaceSlashes } from './authority.ts';

/** HTTP/2 sizes: the client preface, a frame's header, and the largest frame before a peer agrees to more. */
const PREFACE = 24;
const HEADER = 9;
const LARGEST = 16_384;

const HEADERS = 1;
const PADDED = 0x8;
const PRIORITY = 0x20;

/**
 * Wraps a connection of a gRPC client so that Node's HTTP/2 accepts its `:authority`. grpc-go before 1.57 sends the path of the dialled
 * socket, and nghttp2 rejects a slash there. A slash is replaced by a dot, which has the same number of bits in HPACK's code. So every byte
 * keeps its position, and the HPACK tables of both peers stay consistent.
 */
export function anyAuthority(socket: Socket): Duplex {
  const frames = new FrameRewriter();
  socket.on('error', (error) => frames.destroy(error));
  return Duplex.from({ readable: socket.pipe(frames), writable: socket });
}

/** Forwards a client's HTTP/2 and replaces the slashes in its authorities. It buffers only header blocks, until they are complete. */
export class FrameRewriter extends Transform {
  /** The number of bytes to pass on unchanged before the next frame's header. */
  #pass = PREFACE;
  #held: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      const passed = rest.subarray(0, this.#pass);
      if (passed.length > 0) this.push(passed);
      this.#pass -= passed.length;
      rest = rest.subarray(passed.length);
      if (rest.length < HEADER) break;
      const length = rest.readUIntBE(0, 3);
      if (rest[3] === HEADERS && length <= LARGEST) {
        if (rest.length < HEADER + length) break;
        replaceSlashes(blockOf(rest.subarray(0, HEADER + length)));
      }
      this.#pass = HEADER + length;
    }
    this.#held = rest;
    done();
  }

  override _flush(done: () => void): void {
    this.push(this.#held);
    done();
  }
}

/** The header block of a HEADERS frame, without padding and priority. */
function blockOf(frame: Buffer): Buffer {
  const flags = frame[4] ?? 0;
  const padding = (flags & PADDED) === 0 ? 0 : (frame[HEADER] ?? 0);
  const start = HEADER + ((flags & PADDED) === 0 ? 0 : 1) + ((flags & PRIORITY) === 0 ? 0 : 5);
  return frame.subarray(start, Math.max(start, frame.length - padding));
}

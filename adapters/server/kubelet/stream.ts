import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';

/** A socket as a stream of bytes. */
export const streamOf = (socket: Duplex): ByteStream => ({
  incoming: socket,
  write: (bytes) =>
    new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error == null ? resolve() : reject(error))); // also told when the socket is destroyed
    }),
  end: () => void socket.end(),
  get delivered() {
    return finished(socket, { readable: false }); // by the kernel
  },
  destroy: () => void socket.destroy(),
});

/**
 * A stream of bytes as what node's TLS and HTTP run over. It finishes when the other end has all bytes: node destroys a stream that has finished. Without
 * `allowHalfOpen` this side ends with the other.
 */
export function duplexOf(stream: ByteStream, { allowHalfOpen = true } = {}): Duplex {
  const reader = stream.incoming[Symbol.asyncIterator]();
  return new Duplex({
    allowHalfOpen,
    read() {
      void pushNext(this, reader);
    },
    write(chunk: Uint8Array, _encoding, done) {
      stream.write(chunk).then(
        () => done(),
        (error: unknown) => done(asError(error)),
      );
    },
    final(done) {
      stream.end();
      stream.delivered.then(
        () => done(),
        (error: unknown) => done(asError(error)),
      );
    },
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
}

/** TLS throws out of `push` where what came after its handshake is none. */
async function pushNext(duplex: Duplex, reader: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    const { done, value } = await reader.next();
    duplex.push(done === true ? null : value);
  } catch (error) {
    duplex.destroy(asError(error));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';

/** Wraps a socket as a stream of bytes. */
export const streamOf = (socket: Duplex): ByteStream => ({
  incoming: socket,
  write: (bytes) =>
    new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error == null ? resolve() : reject(error))); // also called when the socket is destroyed
    }),
  end: () => void socket.end(),
  get delivered() {
    return finished(socket, { readable: false }); // by the kernel
  },
  destroy: () => void socket.destroy(),
});

/**
 * Wraps a stream of bytes for node's TLS and HTTP. A write finishes only when the other end has all bytes, because node destroys a finished
 * stream. Without `allowHalfOpen` this side ends together with the other.
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

/** Pushes the next bytes. TLS throws from `push` if the data after its handshake is not TLS. */
async function pushNext(duplex: Duplex, reader: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    const { done, value } = await reader.next();
    duplex.push(done === true ? null : value);
  } catch (error) {
    duplex.destroy(asError(error));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

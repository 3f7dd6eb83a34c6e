import { once } from 'node:events';
import { Duplex } from 'node:stream';
import type { ByteStream } from '#lib/channel/byte-stream.ts';

/** A socket as a stream of bytes. */
export const streamOf = (socket: Duplex): ByteStream => ({
  incoming: socket,
  async write(bytes) {
    if (!socket.write(bytes)) await once(socket, 'drain');
  },
  end: () => void socket.end(),
  destroy: () => void socket.destroy(),
});

/** A stream of bytes as what node's TLS and HTTP run over. */
export function duplexOf(stream: ByteStream): Duplex {
  const reader = stream.incoming[Symbol.asyncIterator]();
  return new Duplex({
    read() {
      reader.next().then(
        ({ done, value }) => this.push(done === true ? null : value),
        (error: unknown) => this.destroy(asError(error)),
      );
    },
    write(chunk: Uint8Array, _encoding, done) {
      stream.write(chunk).then(
        () => done(),
        (error: unknown) => done(asError(error)),
      );
    },
    final(done) {
      stream.end();
      done();
    },
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

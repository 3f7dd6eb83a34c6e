import type { Duplex } from 'node:stream';
import type { SessionClient } from './session-relay.ts';

/** A client's connection after it has left HTTP, and the bytes that arrived after its request. */
export interface Client {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Wraps the connection as the client's end of a session. */
export const clientStream = ({ socket, head }: Client): SessionClient => ({
  incoming: incoming({ socket, head }),
  write: (bytes) =>
    new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error == null ? resolve() : reject(error)));
    }),
  end: () => void socket.end(),
  destroy: () => void socket.destroy(),
  fail: () => void socket.end(),
});

/** Yields the client's bytes. The connection stays open when the reader stops. */
export async function* incoming({ socket, head }: Client): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
}

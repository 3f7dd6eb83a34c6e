import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ConnectionOptions, connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';

/** Bytes that one side sent without a break by the other side. `there` is the direction to the server. */
export interface Piece {
  readonly way: 'there' | 'back';
  readonly bytes: Buffer;
}

/** Terminates TLS between a client and a server, and records the data of each connection. */
export interface Tap extends AsyncDisposable {
  readonly port: number;
  /** The pieces of each connection, in the order of transmission. */
  readonly connections: readonly (readonly Piece[])[];
}

/** Listens on loopback with the options `serving`, and connects to the server for each client. */
export async function startTap(serving: TlsOptions, server: ConnectionOptions): Promise<Tap> {
  const connections: Piece[][] = [];
  const open = new Set<TLSSocket>();
  const listener = createServer({ ...serving, ALPNProtocols: ['http/1.1'] }, (client) => {
    const pieces: Piece[] = [];
    connections.push(pieces);
    const other = connect({ ...server, ALPNProtocols: ['http/1.1'] });
    pass(client, other, (bytes) => pieces.push({ way: 'there', bytes }));
    pass(other, client, (bytes) => pieces.push({ way: 'back', bytes }));
    for (const socket of [client, other]) {
      open.add(socket);
      socket.on('error', () => {});
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function pass(from: TLSSocket, to: TLSSocket, keep: (bytes: Buffer) => void): void {
  from.on('data', (bytes: Buffer) => {
    keep(bytes);
    to.write(bytes);
  });
  from.once('end', () => to.end());
  from.once('close', () => to.destroy());
}

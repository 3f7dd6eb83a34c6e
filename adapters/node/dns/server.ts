import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { addrFamily } from '#lib/machinery/net/parse-addr.ts';
import type { Responder } from '#lib/node/dns/responder.ts';
import { Connections } from './connections.ts';

/** Maximum number of concurrent queries over all transports. Further queries are dropped, and clients retry. */
const MAX_PENDING = 2048;
/** Maximum number of concurrent queries on one connection. */
const MAX_PIPELINED = 32;

/** Serves DNS over UDP and TCP (RFC 1035 4.2, RFC 7766). */
export class DnsServer implements AsyncDisposable {
  readonly #responder: Pick<Responder, 'respond'>;
  readonly #datagrams: UdpSocket[] = [];
  readonly #listeners: Server[] = [];
  readonly #connections = new Connections();
  #pending = 0;
  #isClosed = false;

  constructor(responder: Pick<Responder, 'respond'>) {
    this.#responder = responder;
  }

  /**
   * Listens at an address, with the same port for both transports. Port 0 selects a free port. Returns the port. Rejects with the system's
   * error.
   */
  async listen(address: string, port: number): Promise<number> {
    const listener = createServer((socket) => this.#connected(socket));
    this.#listeners.push(listener);
    listener.listen({ host: address, port });
    await once(listener, 'listening');
    const bound = listener.address();
    const chosen = bound !== null && typeof bound === 'object' ? bound.port : port;
    const datagrams = createSocket(addrFamily(address) === 6 ? 'udp6' : 'udp4');
    this.#datagrams.push(datagrams);
    datagrams.on('message', (message, { address: from, port: fromPort }) =>
      this.#answer(message, 'udp', (answer) => {
        if (answer !== undefined && !this.#isClosed) datagrams.send(answer, fromPort, from, () => undefined);
      }),
    );
    datagrams.bind({ address, port: chosen });
    await once(datagrams, 'listening');
    datagrams.on('error', () => undefined); // the client has disconnected
    return chosen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#connections.end();
    for (const socket of this.#datagrams) socket.close();
    await Promise.all(this.#listeners.map((one) => new Promise<void>((resolve) => void one.close(() => resolve()))));
  }

  #answer(message: Uint8Array, transport: 'udp' | 'tcp', send: (answer: Uint8Array | undefined) => void): void {
    if (this.#pending >= MAX_PENDING) return send(undefined);
    this.#pending++;
    void this.#responder.respond(message, transport).then((answer) => {
      this.#pending--;
      send(answer);
    });
  }

  #connected(socket: Socket): void {
    this.#connections.add(socket);
    let held = Buffer.alloc(0);
    let pipelined = 0;
    // A client that does not read its answers gets no more of them. Its remaining queries stay in the kernel's buffer.
    const isFull = (): boolean => pipelined >= MAX_PIPELINED || socket.writableNeedDrain;
    const take = (): void => {
      while (!isFull() && held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const end = 2 + held.readUInt16BE(0);
        const message = held.subarray(2, end);
        held = held.subarray(end);
        pipelined++;
        this.#answer(message, 'tcp', (answer) => {
          pipelined--;
          if (answer === undefined || socket.destroyed) return void socket.destroy();
          socket.write(Buffer.concat([lengthOf(answer), answer]));
          this.#connections.answered(socket);
          take();
        });
      }
      if (isFull()) socket.pause();
      else socket.resume();
    };
    socket.on('drain', take);
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      take();
    });
  }
}

function lengthOf(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
}

import type { Socket } from 'node:net';

/** Time-out of a silent connection in ms. */
const IDLE = 10_000;
const MAX_CONNECTIONS = 256;
/** Maximum number of connections per client. */
const MAX_OF_CLIENT = 64;

/**
 * The connections of clients. A new connection beyond a limit closes the one with the oldest last answer: among the client's own if the
 * client has too many, otherwise among all.
 */
export class Connections {
  /** Sorted by the time of their last answer. */
  readonly #open = new Map<Socket, string>();

  get size(): number {
    return this.#open.size;
  }

  /** Adds a new connection. */
  add(socket: Socket): void {
    const client = socket.remoteAddress ?? '';
    const own = [...this.#open].filter(([, one]) => one === client);
    const oldest = own.length >= MAX_OF_CLIENT ? own[0]?.[0] : this.#oldest();
    oldest?.destroy();
    if (oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(socket, client);
    socket.setTimeout(IDLE, () => socket.destroy());
    socket.on('error', () => undefined); // the client has disconnected
    socket.on('close', () => this.#open.delete(socket));
  }

  /** Records that a connection got an answer. */
  answered(socket: Socket): void {
    const client = this.#open.get(socket);
    if (client === undefined) return;
    this.#open.delete(socket);
    this.#open.set(socket, client);
  }

  /** Ends all connections. */
  end(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #oldest(): Socket | undefined {
    if (this.#open.size < MAX_CONNECTIONS) return undefined;
    const [oldest] = this.#open.keys();
    return oldest;
  }
}

import type { Clock } from '#lib/machinery/clock.ts';
import type { AgentChannelPorts, Connection } from '../agent-channel.ts';
import type { NodeChannels } from '../node-channels.ts';

/** Connections of agents to a server, in one process. */
export class Plug {
  readonly #clock: Clock;
  readonly #open = new Set<(reason: string) => void>();
  /** The server. Undefined while there is none. */
  server: NodeChannels | undefined;
  /** If true, messages vanish without a notification. */
  isSilent = false;

  constructor(clock: Clock, server: NodeChannels) {
    this.#clock = clock;
    this.server = server;
  }

  /** The number of established connections. */
  get count(): number {
    return this.#open.size;
  }

  /** Ends every connection. */
  cut(): void {
    for (const close of this.#open) close('');
  }

  connect(node: string): AgentChannelPorts['connect'] {
    return async (toAgent) => {
      const { server } = this;
      if (server === undefined) throw new Error('connect ECONNREFUSED');
      const closed = Promise.withResolvers<string>();
      const close = (reason: string): void => {
        if (!this.#open.delete(close)) return;
        closed.resolve(reason);
        server.disconnect(node, serverEnd);
      };
      this.#open.add(close);
      const send = (take: (message: Uint8Array) => void) => async (message: Uint8Array) => {
        if (!this.#open.has(close)) throw new Error('the connection is closed');
        const copy = Uint8Array.from(message);
        void this.#clock
          .sleep(1)
          .then(() => this.isSilent || !this.#open.has(close) || guarded(() => take(copy), close));
      };
      const serverEnd = { parallel: 1, send: send(toAgent), close };
      const toServer = server.connect(node, serverEnd);
      const connection: Connection = { parallel: 1, send: send(toServer), close, closed: closed.promise };
      return connection;
    };
  }
}

function guarded(take: () => void, close: (reason: string) => void): void {
  try {
    take();
  } catch {
    close('');
  }
}

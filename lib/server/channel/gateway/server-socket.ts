import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { JoinedConnection } from './joined-connection.ts';
import type { GatewayMessage } from './message.ts';
import type { ConnectText } from './text-connection.ts';

/** The time of silence in ms after which the connection is pinged, and the time-out in ms of the pong. */
const SILENCE = 30_000;
const PING_TIMEOUT = 1000;
/** The time-out in ms for a new connection to join. */
const JOIN_TIMEOUT = 5000;

export interface ServerSocketPorts {
  readonly clock: Clock;
  /** A `wss` URL. */
  readonly url: string;
  /** Returns a new ticket for this server. Throws StoreError. */
  ticket(): Promise<string>;
  readonly connect: ConnectText;
  /** Called with a message from an agent. */
  message(message: GatewayMessage): void;
  /** Called when the connection is lost. */
  lost(): void;
}

/** The single connection of an API server to the gateway, on which the answers of all nodes arrive. It is opened on first use. */
export class ServerSocket {
  readonly #ports: ServerSocketPorts;
  #joined: JoinedConnection | undefined;
  #opening: Promise<string> | undefined;

  constructor(ports: ServerSocketPorts) {
    this.#ports = ports;
  }

  /** Returns the id of the connection, which was active within the last half minute. Throws TransportError. */
  id(): Promise<string> {
    const joined = this.#joined;
    if (joined !== undefined && joined.silence < SILENCE) return Promise.resolve(joined.id);
    this.#opening ??= this.#answering(joined).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  close(): void {
    this.#joined?.connection.close();
  }

  async #answering(joined: JoinedConnection | undefined): Promise<string> {
    if (joined !== undefined && (await joined.ping(PING_TIMEOUT))) return joined.id;
    joined?.connection.close();
    this.#joined = undefined;
    try {
      return await this.#open();
    } catch (error) {
      throw new TransportError(`no connection to the gateway: ${messageOfError(error)}`, { cause: error });
    }
  }

  async #open(): Promise<string> {
    const { clock, url, ticket, connect, message, lost } = this.#ports;
    const signal = new AbortController().signal;
    const request = { ticket: await ticket(), node: '', message };
    const joined = await JoinedConnection.open({ clock, connect, url, request, timeout: JOIN_TIMEOUT }, signal);
    this.#joined = joined;
    void joined.connection.closed.then(() => {
      if (this.#joined !== joined) return;
      this.#joined = undefined;
      lost();
    });
    return joined.id;
  }
}

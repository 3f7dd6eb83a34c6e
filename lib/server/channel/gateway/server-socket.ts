import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { JoinedConnection } from './joined-connection.ts';
import type { GatewayMessage } from './message.ts';
import type { ConnectText } from './text-connection.ts';

/** Milliseconds of silence after which the connection is asked whether it is there, and that it has to answer. */
const SILENCE = 30_000;
const PING_TIMEOUT = 1000;
/** Milliseconds for a new connection to join. */
const JOIN_TIMEOUT = 5000;

export interface ServerSocketPorts {
  readonly clock: Clock;
  /** A `wss` URL. */
  readonly url: string;
  /** A new ticket of this server. Throws StoreError. */
  ticket(): Promise<string>;
  readonly connect: ConnectText;
  /** A message that an agent sent. */
  message(message: GatewayMessage): void;
  /** The connection is gone. */
  lost(): void;
}

/** The one connection of an API server to the gateway, on which the answers of all nodes come: opened when it is first needed. */
export class ServerSocket {
  readonly #ports: ServerSocketPorts;
  #joined: JoinedConnection | undefined;
  #opening: Promise<string> | undefined;

  constructor(ports: ServerSocketPorts) {
    this.#ports = ports;
  }

  /** The id of the connection, which was heard of within half a minute. Throws TransportError. */
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

import type { Clock } from '#lib/machinery/clock.ts';
import type { MessageTransport } from '../message-transport.ts';
import { Session } from '../session.ts';
import type { AgentRecord } from './connections.ts';

/** The maximum number of messages in flight to the gateway. */
const PARALLEL = 8;
/** The delay in ms before an unknown connection is checked again. The gateway has a connection only after its handshake. */
export const AGAIN = 1000;

export interface NodeLinkPorts {
  readonly clock: Clock;
  /** Returns a random stream id of 48 bits. */
  randomId(): number;
  /** Sends a message of the session to a connection of the agent. Resolves with false if the connection is closed. */
  send(link: NodeLink, to: string, message: Uint8Array): Promise<boolean>;
  /** Called when the connection in use is closed. */
  gone(link: NodeLink, connection: string): void;
}

/** The session of an API server with one process of a node's agent, over any of its connections. */
export class NodeLink {
  readonly node: string;
  /** The agent's name for its process. */
  readonly agent: string;
  /** The name of the session. */
  readonly name: string;
  readonly session: Session;
  readonly #ports: NodeLinkPorts;
  /** Ids of the agent's connections, newest first. */
  connections: readonly string[];
  #current = '';
  #heardAt = Number.NEGATIVE_INFINITY;
  /** The monotonic times at which the gateway first reported connections of the agent as unknown. */
  readonly #unknown = new Map<string, number>();

  constructor({ node, session, connections }: AgentRecord, name: string, ports: NodeLinkPorts) {
    this.node = node;
    this.agent = session;
    this.name = name;
    this.connections = connections;
    this.#ports = ports;
    this.session = new Session({
      clock: ports.clock,
      randomId: () => ports.randomId(),
      accept() {
        throw new Error('the server accepts no streams');
      },
      ring: () => undefined,
    });
  }

  /** The time in ms since the agent's last message. */
  get silence(): number {
    return this.#ports.clock.monotonic() - this.#heardAt;
  }

  /** The connection that the session uses. '' if there is none. */
  get current(): string {
    return this.session.isConnected ? this.#current : '';
  }

  /**
   * Records that the gateway reported the connection as unknown. Returns true if it already did so at least a second ago, which means that
   * the connection is closed.
   */
  isOver(connection: string): boolean {
    const now = this.#ports.clock.monotonic();
    for (const one of this.#unknown.keys()) if (!this.connections.includes(one)) this.#unknown.delete(one);
    const first = this.#unknown.get(connection);
    if (first === undefined) this.#unknown.set(connection, now);
    return first !== undefined && now - first >= AGAIN;
  }

  /** Handles a message of the agent. */
  receive(message: Uint8Array): void {
    this.#heardAt = this.#ports.clock.monotonic();
    this.session.receive(message);
  }

  /** Uses this connection of the agent from now on. */
  use(connection: string): void {
    if (this.current !== connection) this.reattach(connection);
  }

  /** Uses this connection, and sends everything unacknowledged again. */
  reattach(connection: string): void {
    this.#current = connection;
    this.session.attach(this.#transport(connection));
  }

  #transport(connection: string): MessageTransport {
    const { send, gone } = this.#ports;
    const transport: MessageTransport = {
      parallel: PARALLEL,
      send: async (message) => {
        if (await send(this, connection, message)) return;
        this.session.detach(transport);
        if (this.#current === connection) gone(this, connection);
        throw new Error('the connection of the agent is gone');
      },
      close: () => undefined,
    };
    return transport;
  }
}

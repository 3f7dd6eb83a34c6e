import type { KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { publicKeyIn } from '../signed.ts';
import type { Connections } from './connections.ts';
import { FloodGauge } from './flood-gauge.ts';
import { decodeGatewayMessage, encodeGatewayMessage } from './message.ts';
import type { Posts } from './posts.ts';
import { RouteVerifier } from './route-verifier.ts';
import { verifyTicket } from './ticket.ts';

/** The headers of a handshake that contain the ticket (`Bearer …`) and, for an agent, its node. */
export const TICKET_HEADER = 'authorization';
export const NODE_HEADER = 'davit-node';
const BEARER = 'Bearer ';

export interface RelayPorts {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly posts: Posts;
  /** Returns a random number in [0, 1). */
  random(): number;
}

/**
 * The gateway's relay. It admits connections with tickets, and forwards messages with routes. It trusts only the connection on which a
 * message arrived, not its content. It reads no table per message.
 */
export class Relay {
  readonly #ports: RelayPorts;
  readonly #flood: FloodGauge;
  readonly #routes: RouteVerifier;
  #key: KeyObject | undefined;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
    this.#flood = new FloodGauge(ports);
    this.#routes = new RouteVerifier(() => ports.clock.now());
  }

  /** Returns the status of a handshake. 200 admits the connection. Header names are in lower case. Throws StoreError. */
  async connect(connection: string, headers: Readonly<Record<string, string | undefined>>): Promise<number> {
    const { connections, clock } = this.#ports;
    const shown = headers[TICKET_HEADER] ?? '';
    if (!shown.startsWith(BEARER)) return 401; // unauthenticated clients cause no read
    const key = await this.#publicKey();
    const ticket = key && verifyTicket(shown.slice(BEARER.length), key, clock.now());
    if (ticket === undefined) return 401;
    if (ticket.node !== (headers[NODE_HEADER] ?? '')) return 403;
    return (await connections.connect(ticket, connection)) ? 200 : 403;
  }

  /** Handles a message from the connection. Throws TransportError if the gateway does not accept the answer. */
  async message(connection: string, text: string): Promise<void> {
    if (await this.#flood.overflows(connection)) return this.#closeFlood(connection);
    const message = decodeGatewayMessage(text);
    if (message?.type === 'join') await this.#post(connection, { type: 'joined', connection });
    if (message?.type !== 'routed') return;
    const key = await this.#publicKey();
    const route = key === undefined ? undefined : this.#routes.verify(message.route, key);
    // The receiver reads the session from the signed route.
    if (route?.from !== connection || (await this.#ports.posts.post(route.to, text))) return;
    await this.#post(connection, { type: 'gone', connection: route.to });
  }

  /** Called when the connection has ended. Removes it on a best-effort basis. Throws StoreError. */
  async disconnect(connection: string): Promise<void> {
    const { connections } = this.#ports;
    const node = await connections.nodeOf(connection);
    if (node !== undefined) await connections.lose(node, connection);
  }

  async #closeFlood(connection: string): Promise<void> {
    await this.#post(connection, { type: 'close', reason: 'flood' });
    await this.#ports.posts.close(connection);
  }

  async #post(connection: string, message: Parameters<typeof encodeGatewayMessage>[0]): Promise<void> {
    await this.#ports.posts.post(connection, encodeGatewayMessage(message));
  }

  async #publicKey(): Promise<KeyObject | undefined> {
    if (this.#key !== undefined) return this.#key;
    const published = await this.#ports.connections.publishedKey();
    if (published !== undefined) this.#key = publicKeyIn(published);
    return this.#key;
  }
}

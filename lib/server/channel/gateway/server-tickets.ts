import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { badRequest, conflictBecause } from '#lib/machinery/errors.ts';
import { GrantSigner } from '../grant.ts';
import { type AgentHello, nameTaken, VERSION } from '../hello.ts';
import type { AgentRecord, Connections } from './connections.ts';
import { signTicket, TICKET_LIFETIME, type Ticket } from './ticket.ts';
import type { TicketAnswer } from './ticket-office.ts';

export interface ServerTicketsPorts {
  readonly clock: Clock;
  readonly connections: Connections;
  /** The `wss` URL of the gateway. */
  readonly url: string;
  /** The cluster's private key of channels: Ed25519. */
  readonly key: KeyObject;
  /** The server's features, sent to agents. Default none. */
  readonly features?: readonly string[];
  /** Returns a random id for a ticket. */
  randomName(): string;
}

/** Issues the tickets of one API server, for agents and for itself. */
export class ServerTickets {
  readonly url: string;
  readonly signingKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly grants: GrantSigner;
  readonly #ports: ServerTicketsPorts;
  #published: Promise<void> | undefined;

  constructor(ports: ServerTicketsPorts) {
    this.#ports = ports;
    this.url = ports.url;
    this.signingKey = ports.key;
    this.publicKey = createPublicKey(ports.key);
    this.grants = new GrantSigner(ports.clock, ports.key);
  }

  /** Returns a ticket for this server. Throws StoreError. */
  async ownTicket(): Promise<string> {
    return (await this.#sign({ node: '', session: '', instance: '', after: '', before: '' })).ticket;
  }

  /**
   * Returns a ticket for a user's client and the session of its stream. `digest` identifies the purpose of the stream. Throws StoreError.
   */
  async clientTicket(session: string, digest: string): Promise<{ readonly ticket: string; readonly expires: number }> {
    return this.#sign({ node: '', session, instance: digest, after: '', before: '' });
  }

  /**
   * Returns a ticket for the agent, and the keys with which the agent verifies the server's messages. `answers` checks whether the agent of
   * a record is alive. Throws StatusError: 400 for another protocol version, 409 with `nameTaken`. Throws StoreError.
   */
  async issue(
    node: string,
    hello: AgentHello,
    answers: (record: AgentRecord) => Promise<boolean>,
  ): Promise<TicketAnswer> {
    if (hello.version !== VERSION) throw badRequest(`version ${hello.version} of the channel is not served`);
    const { key, machineId, bootId } = hello.instance;
    const instance = JSON.stringify([key, machineId, bootId]);
    const record = await this.#ports.connections.find(node, { fresh: true });
    if (record !== undefined && record.instance !== instance && (await answers(record)))
      throw conflictBecause(nameTaken(node));
    const isSame = record?.session === hello.session;
    const [before = ''] = isSame ? record.connections : [];
    const { ticket, expires } = await this.#sign({
      node,
      session: hello.session,
      instance,
      after: record?.ticket ?? '',
      before,
    });
    const { clock, features = [] } = this.#ports;
    const { publicKey: grantKey } = this.grants;
    return { ticket, url: this.url, features: [...features], expires, grantKey, time: clock.now() };
  }

  async #sign(of: Omit<Ticket, 'id' | 'expires'>): Promise<{ readonly ticket: string; readonly expires: number }> {
    const { clock, connections, randomName } = this.#ports;
    this.#published ??= connections.publish(this.grants.publicKey).catch((error: unknown) => {
      this.#published = undefined;
      throw error;
    });
    await this.#published;
    const expires = clock.now() + TICKET_LIFETIME;
    return { ticket: signTicket({ ...of, id: randomName(), expires }, this.signingKey), expires };
  }
}

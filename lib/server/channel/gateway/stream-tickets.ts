import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { forbidden, serviceUnavailable } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { type Grant, requestDigest } from '../grant.ts';
import { type AgentRecord, type Connections, RECORD_LIFETIME } from './connections.ts';
import { signRoute } from './route.ts';
import type { ServerTickets } from './server-tickets.ts';
import type { SpentTicket, StreamAsked, StreamOffice, StreamRoutes, StreamTicket } from './stream-office.ts';
import { signedTicket } from './ticket.ts';

export interface StreamTicketsPorts {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'find' | 'spentFor'>;
  readonly tickets: ServerTickets;
  /** Returns a random name for a session. */
  randomName(): string;
}

/**
 * Issues tickets and routes for streams between users' clients and agents. The client sends two requests, because a route contains its
 * connection: one for a ticket, which opens the connection, and one for the route. A ticket is valid for one user, node, pod, container and
 * request.
 */
export class StreamTickets implements StreamOffice {
  readonly #ports: StreamTicketsPorts;

  constructor(ports: StreamTicketsPorts) {
    this.#ports = ports;
  }

  async ticket(asked: StreamAsked): Promise<StreamTicket> {
    await this.#agentOf(asked.node);
    const { clock, tickets, randomName } = this.#ports;
    const session = randomName();
    const { ticket, expires } = await tickets.clientTicket(session, digestOf(asked));
    const { publicKey: grantKey } = tickets.grants;
    return { ticket, url: tickets.url, session, path: asked.path, expires, grantKey, time: clock.now() };
  }

  async routes(asked: StreamAsked, { ticket: text, connection, stream }: SpentTicket): Promise<StreamRoutes> {
    const { clock, connections, tickets } = this.#ports;
    const ticket = signedTicket(text, tickets.publicKey);
    const refuse = (why: string): Error => forbidden({ group: '', resource: 'nodes' }, asked.node, why);
    if (ticket === undefined || ticket.node !== '' || ticket.session === '')
      throw refuse('the ticket is not one of a stream');
    if (ticket.instance !== digestOf(asked)) throw refuse('the ticket is for another stream');
    const expires = clock.now() + RECORD_LIFETIME;
    if (ticket.expires + RECORD_LIFETIME <= clock.now()) throw refuse('the ticket has expired');
    if ((await connections.spentFor(ticket.id)) !== connection)
      throw refuse('the ticket was not spent for this connection');
    const { session: agent, connections: held } = await this.#agentOf(asked.node);
    const [to = ''] = held;
    const { session } = ticket;
    return {
      connection: to,
      agent,
      route: signRoute({ from: connection, to, session, expires }, tickets.signingKey),
      answer: signRoute({ from: to, to: connection, session, expires }, tickets.signingKey),
      grant: tickets.grants.sign(grantOf(asked, { stream, session: agent })),
    };
  }

  /** Returns the record of a node with a connected agent. */
  async #agentOf(node: string): Promise<AgentRecord> {
    const record = await this.#ports.connections.find(node, { fresh: true });
    if (record === undefined || record.connections.length === 0)
      throw serviceUnavailable(`no connection to node ${quote(node)}: its agent is not connected to the gateway`);
    return record;
  }
}

/** Returns the right to make the client's single request. */
function grantOf(
  { node, port, purpose, path }: StreamAsked,
  of: Pick<Grant, 'stream' | 'session'>,
): Omit<Grant, 'expires'> {
  const { pathname, searchParams } = new URL(path, 'http://node');
  return { ...purpose, request: requestDigest(pathname, searchParams), node, host: node, port, ...of };
}

/** Returns the digest of the user and the permitted request: SHA-256, base64url. */
const digestOf = ({ node, port, purpose: { verb, podUID, container, user }, path }: StreamAsked): string =>
  createHash('sha256')
    .update(JSON.stringify([node, port, verb, podUID, container, user, path]))
    .digest('base64url');

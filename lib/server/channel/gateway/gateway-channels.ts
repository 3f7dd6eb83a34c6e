import type { KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { quote } from '#lib/machinery/go.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { ByteStream } from '../byte-stream.ts';
import { NoAnswer } from '../channel-stream.ts';
import type { ChannelEnd, Channels } from '../channels.ts';
import type { Via } from '../dialer.ts';
import { FrameError } from '../frame.ts';
import { GrantSigner } from '../grant.ts';
import type { AgentRecord, Connections } from './connections.ts';
import { encodeGatewayMessage, type GatewayMessage } from './message.ts';
import { AGAIN, NodeLink } from './node-link.ts';
import type { Posts } from './posts.ts';
import { ROUTE_LIFETIME, signRoute } from './route.ts';
import { RouteVerifier } from './route-verifier.ts';
import { ServerSocket } from './server-socket.ts';
import type { ServerTickets } from './server-tickets.ts';
import type { ConnectText } from './text-connection.ts';

/** Milliseconds of silence after which the record of a node is read again, and its agent is asked whether it is there. */
const SILENCE = 60_000;
/** Milliseconds that the agent has to answer on a connection before the next one is tried. */
const PING_TIMEOUT = 1000;
/** Milliseconds after which an agent with open streams is asked whether it is there, and that it has to answer. */
const WATCH = 10_000;
const WATCH_TIMEOUT = 5000;

export interface GatewayChannelsPorts {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly posts: Posts;
  readonly connect: ConnectText;
  readonly tickets: ServerTickets;
  /** Draws the id of a stream: 48 random bits. */
  randomId(): number;
  /** Draws the name of a session. */
  randomName(): string;
}

interface Asked {
  readonly via: Via;
  readonly end: ChannelEnd;
}

/**
 * The channels of nodes by a gateway, at one API server: requests are posted to the connections of agents, and answers come on the
 * server's one connection.
 */
export class GatewayChannels implements Channels {
  readonly #ports: GatewayChannelsPorts;
  readonly #key: KeyObject;
  readonly #grants: GrantSigner;
  readonly #socket: ServerSocket;
  readonly #routes: RouteVerifier;
  /** By node, and by the name of the session. */
  readonly #links = new Map<string, NodeLink>();
  readonly #named = new Map<string, NodeLink>();
  readonly #routeTexts = new WeakMap<
    NodeLink,
    { readonly key: string; readonly text: string; readonly until: number }
  >();
  readonly #watched = new Set<NodeLink>();
  readonly #recovering = new Set<NodeLink>();

  constructor(ports: GatewayChannelsPorts) {
    const { clock, tickets, connect } = ports;
    this.#ports = ports;
    this.#key = tickets.publicKey;
    this.#grants = tickets.grants;
    this.#routes = new RouteVerifier(() => clock.now());
    this.#socket = new ServerSocket({
      clock,
      url: tickets.url,
      ticket: () => tickets.ownTicket(),
      connect,
      message: (message) => this.#take(message),
      lost: () => this.#socketLost(),
    });
  }

  /** Servers behind a gateway have no other way to a node. */
  find(): object {
    return this;
  }

  /** Throws StoreError where the record of the node cannot be read. */
  async open(via: Via, end: ChannelEnd, signal: AbortSignal): Promise<ByteStream> {
    const link = await this.#linkOf(via.node);
    try {
      return await this.#openBy(link, { via, end }, signal);
    } catch (error) {
      if (!link.session.isOver || signal.aborted) throw error;
      return this.#openBy(await this.#linkOf(via.node), { via, end }, signal); // the agent was started again
    }
  }

  /** An `open` that is unanswered for 5 s is tried on the node's next connection. */
  async #openBy(link: NodeLink, { via, end }: Asked, signal: AbortSignal): Promise<ByteStream> {
    const { host, port } = end;
    const wanted = { ...via.purpose, node: via.node, host, port, session: link.agent };
    const candidates = [...link.connections];
    let fault: unknown;
    for (const [i, connection] of candidates.entries()) {
      link.use(connection);
      const isLast = i === candidates.length - 1;
      if (link.silence >= SILENCE && !(await link.session.ping(PING_TIMEOUT)) && !isLast) continue;
      if (link.current === '') link.use(connection); // the gateway did not know it a second ago
      try {
        const opened = link.session.open((stream) => this.#grants.sign({ ...wanted, stream }), signal);
        void this.#watch(link);
        return await opened;
      } catch (error) {
        if (!(error instanceof NoAnswer) || signal.aborted) throw error;
        fault = error;
      }
    }
    throw fault;
  }

  /** Whether an agent of the record answers within 5 s. */
  async answers(record: AgentRecord): Promise<boolean> {
    const [connection] = record.connections;
    if (connection === undefined) return false;
    const link = this.#linkTo(record);
    link.use(connection);
    return link.session.ping(WATCH_TIMEOUT);
  }

  /** Ends every session. */
  end(reason: string): void {
    for (const { session } of this.#links.values()) session.end(reason);
    this.#socket.close();
  }

  /** The session with the node's agent, by a record that is no older than the agent's last word. Throws TransportError without a connection. */
  async #linkOf(node: string): Promise<NodeLink> {
    const known = this.#links.get(node);
    if (known !== undefined && known.current !== '' && known.silence < SILENCE) return known;
    const record = await this.#ports.connections.find(node);
    if (record === undefined || record.connections.length === 0)
      throw new TransportError(`node ${quote(node)} has no channel`);
    return this.#linkTo(record);
  }

  #linkTo(record: AgentRecord): NodeLink {
    const known = this.#links.get(record.node);
    if (known?.agent === record.session && !known.session.isOver) {
      known.connections = record.connections;
      return known;
    }
    known?.session.end('the agent was started again');
    const { clock, randomId, randomName } = this.#ports;
    const link = new NodeLink(record, randomName(), {
      clock,
      randomId,
      send: (to, connection, message) => this.#send(to, connection, message),
      gone: (of, connection) => void this.#recover(of, connection),
    });
    this.#links.set(link.node, link);
    this.#named.set(link.name, link);
    void link.session.ended.then(() => {
      this.#named.delete(link.name);
      if (this.#links.get(link.node) === link) this.#links.delete(link.node);
    });
    return link;
  }

  /** Posts a message of the session; one that the gateway does not take is lost, and goes again. */
  async #send(link: NodeLink, to: string, payload: Uint8Array): Promise<boolean> {
    try {
      const route = this.#routeOf(link, to, await this.#socket.id());
      return await this.#ports.posts.post(to, encodeGatewayMessage({ type: 'routed', route, payload }));
    } catch {
      return true;
    }
  }

  /** The route by which the agent answers. */
  #routeOf(link: NodeLink, from: string, to: string): string {
    const now = this.#ports.clock.now();
    const key = `${from} ${to}`;
    const known = this.#routeTexts.get(link);
    if (known !== undefined && known.key === key && known.until > now) return known.text;
    const { signingKey } = this.#ports.tickets;
    const text = signRoute({ from, to, session: link.name, expires: now + ROUTE_LIFETIME }, signingKey);
    this.#routeTexts.set(link, { key, text, until: now + ROUTE_LIFETIME / 2 });
    return text;
  }

  #take(message: GatewayMessage): void {
    if (message.type !== 'routed') return;
    const route = this.#routes.verify(message.route, this.#key);
    const link = route && this.#named.get(route.session);
    if (link === undefined) return;
    if (message.payload.length === 0) return void this.#refresh(link);
    try {
      link.receive(message.payload);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      link.session.end(error.message);
    }
  }

  /** Asks the agent from time to time whether it is there, while streams are open. */
  async #watch(link: NodeLink): Promise<void> {
    if (this.#watched.has(link)) return;
    this.#watched.add(link);
    const over = new AbortController();
    void link.session.ended.then(() => over.abort());
    while (!link.session.isOver && !link.session.isIdle) {
      await this.#ports.clock.sleep(WATCH, over.signal);
      const isSilent = !link.session.isOver && !link.session.isIdle && link.silence >= WATCH;
      if (isSilent && !(await link.session.ping(WATCH_TIMEOUT))) await this.#refresh(link);
    }
    this.#watched.delete(link);
  }

  /**
   * The gateway does not know the connection: goes on by another, and waits for the agent's next one while streams are open, as long as the
   * session does. The first time may be too early, before the handshake is over: the record loses a connection the second time.
   */
  async #recover(link: NodeLink, unknown: string): Promise<void> {
    const { clock, connections } = this.#ports;
    const isOver = link.isOver(unknown);
    if (isOver) {
      link.connections = link.connections.filter((one) => one !== unknown);
      connections.lose(link.node, unknown).catch(() => undefined); // the next post finds out again
    }
    if (this.#recovering.has(link)) return;
    this.#recovering.add(link);
    const next = link.connections.find((one) => one !== unknown);
    if (next !== undefined) link.use(next);
    else if (isOver) await this.#refresh(link, unknown);
    while (!link.session.isOver && !link.session.isIdle && link.current === '') {
      await clock.sleep(AGAIN);
      await this.#refresh(link, isOver ? unknown : '');
    }
    this.#recovering.delete(link);
  }

  /** Goes on by the agent's newest connection that is not known to be gone. */
  async #refresh(link: NodeLink, gone = ''): Promise<void> {
    const record = await this.#recordOf(link);
    if (record === undefined || link.session.isOver) return;
    if (record.session !== link.agent) return link.session.end('the agent was started again');
    link.connections = record.connections.filter((one) => one !== gone);
    const [newest] = link.connections;
    if (newest !== undefined) link.use(newest);
  }

  /** The record of the node; undefined where it cannot be read. */
  #recordOf({ node }: NodeLink): Promise<AgentRecord | undefined> {
    return this.#ports.connections.find(node, { fresh: true }).catch(() => undefined);
  }

  /** Tells agents with open streams the server's next connection. */
  #socketLost(): void {
    for (const link of this.#links.values())
      if (!link.session.isIdle && link.current !== '') link.reattach(link.current);
  }
}

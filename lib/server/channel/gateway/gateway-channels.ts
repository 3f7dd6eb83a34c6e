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

/** The time of silence in ms after which the record of a node is read again, and its agent is pinged. */
const SILENCE = 60_000;
/** The time-out in ms of the agent's answer on a connection. After it, the next connection is tried. */
const PING_TIMEOUT = 1000;
/** The interval in ms at which an agent with open streams is pinged, and the time-out in ms of the pong. */
const WATCH = 10_000;
const WATCH_TIMEOUT = 5000;

export interface GatewayChannelsPorts {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly posts: Posts;
  readonly connect: ConnectText;
  readonly tickets: ServerTickets;
  /** Returns a random stream id of 48 bits. */
  randomId(): number;
  /** Returns a random name for a session. */
  randomName(): string;
}

interface Asked {
  readonly via: Via;
  readonly end: ChannelEnd;
}

/**
 * The channels of nodes through a gateway, at one API server. Requests are posted to the connections of agents, and answers arrive on the
 * server's single connection.
 */
export class GatewayChannels implements Channels {
  readonly #ports: GatewayChannelsPorts;
  readonly #key: KeyObject;
  readonly #grants: GrantSigner;
  readonly #socket: ServerSocket;
  readonly #routes: RouteVerifier;
  /** Links by node, and by session name. */
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

  /** Always returns a value, because servers behind a gateway cannot reach a node in any other way. */
  find(): object {
    return this;
  }

  /** Throws StoreError if the record of the node cannot be read. */
  async open(via: Via, end: ChannelEnd, signal: AbortSignal): Promise<ByteStream> {
    const link = await this.#linkOf(via.node);
    try {
      return await this.#openBy(link, { via, end }, signal);
    } catch (error) {
      if (!link.session.isOver || signal.aborted) throw error;
      return this.#openBy(await this.#linkOf(via.node), { via, end }, signal); // the agent has restarted
    }
  }

  /** Opens a stream. If an `open` is unanswered for 5 s, tries the node's next connection. */
  async #openBy(link: NodeLink, { via, end }: Asked, signal: AbortSignal): Promise<ByteStream> {
    const { host, port } = end;
    const wanted = { ...via.purpose, node: via.node, host, port, session: link.agent };
    const candidates = [...link.connections];
    let fault: unknown;
    for (const [i, connection] of candidates.entries()) {
      link.use(connection);
      const isLast = i === candidates.length - 1;
      if (link.silence >= SILENCE && !(await link.session.ping(PING_TIMEOUT)) && !isLast) continue;
      if (link.current === '') link.use(connection); // the gateway did not have it a second ago
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

  /** Whether an agent in the record answers within 5 s. */
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

  /**
   * Returns the session with the node's agent. Its record is no older than the agent's latest message. Throws TransportError if the node
   * has no connection.
   */
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

  /** Posts a message of the session. A message that the gateway does not accept is lost and sent again. */
  async #send(link: NodeLink, to: string, payload: Uint8Array): Promise<boolean> {
    try {
      const route = this.#routeOf(link, to, await this.#socket.id());
      return await this.#ports.posts.post(to, encodeGatewayMessage({ type: 'routed', route, payload }));
    } catch {
      return true;
    }
  }

  /** Returns the route for the agent's answers. */
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

  /** Pings the agent periodically while streams are open. */
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
   * Called when the gateway does not have the connection. Switches to another connection. While streams are open, waits for the agent's
   * next connection as long as the session lasts. The first report may precede the end of the handshake, so a connection is removed from
   * the record only on the second report.
   */
  async #recover(link: NodeLink, unknown: string): Promise<void> {
    const { clock, connections } = this.#ports;
    const isOver = link.isOver(unknown);
    if (isOver) {
      link.connections = link.connections.filter((one) => one !== unknown);
      connections.lose(link.node, unknown).catch(() => undefined); // the next post detects it again
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

  /** Switches to the agent's newest connection that is not known to be closed. */
  async #refresh(link: NodeLink, gone = ''): Promise<void> {
    const record = await this.#recordOf(link);
    if (record === undefined || link.session.isOver) return;
    if (record.session !== link.agent) return link.session.end('the agent was started again');
    link.connections = record.connections.filter((one) => one !== gone);
    const [newest] = link.connections;
    if (newest !== undefined) link.use(newest);
  }

  /** Returns the record of the node. Undefined if it cannot be read. */
  #recordOf({ node }: NodeLink): Promise<AgentRecord | undefined> {
    return this.#ports.connections.find(node, { fresh: true }).catch(() => undefined);
  }

  /** Sends the server's next connection to agents with open streams. */
  #socketLost(): void {
    for (const link of this.#links.values())
      if (!link.session.isIdle && link.current !== '') link.reattach(link.current);
  }
}

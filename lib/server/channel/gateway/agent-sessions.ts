import type { KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { TokenBucket } from '#lib/machinery/token-bucket.ts';
import { FrameError } from '../frame.ts';
import type { MessageTransport } from '../message-transport.ts';
import { Session, type SessionPorts } from '../session.ts';
import type { JoinedConnection } from './joined-connection.ts';
import { encodeGatewayMessage, type GatewayMessage } from './message.ts';
import type { Route } from './route.ts';
import { RouteVerifier } from './route-verifier.ts';

/** The maximum messages per second of the agent: half of the relay's limit. */
const RATE = { qps: 100, burst: 100 } as const;
const PARALLEL = 4;
/**
 * The maximum number of sessions: one for each API server process that recently reached the node. New sessions replace those without
 * streams.
 */
const MAX_SESSIONS = 200;
/** The time in ms after which a session without streams is dropped. */
const IDLE = 600_000;
/** The time of silence in ms after which a user's client counts as gone. */
const CLIENT_SILENCE = 120_000;
/** The interval in ms at which a server that has not moved is notified of the next connection, and the number of repeats. */
const MOVE_AGAIN = 1000;
const MOVES = 10;

export interface AgentSessionsPorts {
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** The servers' time in ms since 1970. */
  now(): number;
  readonly accept: SessionPorts['accept'];
}

type Routed = Extract<GatewayMessage, { readonly type: 'routed' }>;

interface Lane {
  readonly session: Session;
  /** The connection on which the route arrived, and for which it is valid. */
  connection: JoinedConnection;
  route: string;
  expires: number;
  usedAt: number;
}

/** The sessions of an agent with all API server processes that reach it through a gateway. */
export class AgentSessions {
  readonly #ports: AgentSessionsPorts;
  readonly #lanes = new Map<string, Lane>();
  /** Functions that detach the transports of lanes. */
  readonly #transports = new WeakMap<Lane, () => void>();
  readonly #routes: RouteVerifier;
  readonly #bucket: TokenBucket;

  constructor(ports: AgentSessionsPorts) {
    this.#ports = ports;
    this.#routes = new RouteVerifier(() => ports.now());
    this.#bucket = new TokenBucket({ ...RATE, clock: ports.clock });
  }

  /** Handles a message from the connection, with the route for the answer. `key` verifies routes. */
  take(connection: JoinedConnection, key: KeyObject, { route: first, answer, payload }: Routed): void {
    const text = answer ?? first;
    const route = this.#routes.verify(text, key);
    if (route === undefined || route.from !== connection.id) return;
    // The relay has verified the sender with the first route, so the sender may only use its own session.
    if (answer !== undefined && !isBack(route, this.#routes.verify(first, key))) return;
    const known = this.#lanes.get(route.session);
    const lane = known ?? this.#begin(route.session, connection, { isClient: answer !== undefined });
    if (lane === undefined) return;
    lane.usedAt = this.#ports.clock.monotonic();
    const isNewer = route.expires > lane.expires;
    const isOther = lane.connection !== connection || !lane.session.isConnected;
    if (isNewer) {
      lane.connection = connection;
      lane.route = text;
      lane.expires = route.expires;
    }
    if (isOther && lane.connection === connection) lane.session.attach(this.#transport(lane, connection));
    try {
      lane.session.receive(payload);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      lane.session.end(error.message);
    }
  }

  /** The connection has ended. Its sessions wait for the next one. */
  lost(connection: JoinedConnection): void {
    for (const lane of this.#lanes.values()) if (lane.connection === connection) this.#transports.get(lane)?.();
  }

  /** Tells the servers with open streams that the connection is about to end, until each has moved to another one. Never rejects. */
  async leave(connection: JoinedConnection, signal: AbortSignal): Promise<void> {
    for (let i = 0; i < MOVES && !signal.aborted; i++) {
      const left = [...this.#lanes.values()].filter((lane) => lane.connection === connection && !lane.session.isIdle);
      if (left.length === 0) return;
      const payload = new Uint8Array();
      for (const { route } of left)
        connection.connection.send(encodeGatewayMessage({ type: 'routed', route, payload })).catch(() => undefined);
      await this.#ports.clock.sleep(MOVE_AGAIN, signal);
    }
  }

  end(reason: string): void {
    for (const { session } of this.#lanes.values()) session.end(reason);
  }

  #begin(name: string, connection: JoinedConnection, { isClient }: { isClient: boolean }): Lane | undefined {
    const { clock, random, accept } = this.#ports;
    const now = clock.monotonic();
    this.#forgetIdle(now);
    if (this.#lanes.size >= MAX_SESSIONS) return undefined;
    const session = new Session({
      clock,
      randomId: () => Math.floor(random() * 2 ** 48),
      accept,
      ring: () => undefined, // notifications use no session
    });
    const lane: Lane = { session, connection, route: '', expires: 0, usedAt: now };
    this.#lanes.set(name, lane);
    void session.ended.then(() => {
      if (this.#lanes.get(name) === lane) this.#lanes.delete(name);
    });
    if (isClient) void this.#watchClient(lane);
    return lane;
  }

  /** Ends the session when its client is gone. A live client pings the agent after 30 s of silence. */
  async #watchClient(lane: Lane): Promise<void> {
    const { clock } = this.#ports;
    const over = new AbortController();
    void lane.session.ended.then(() => over.abort());
    while (!over.signal.aborted) {
      await clock.sleep(CLIENT_SILENCE / 2, over.signal);
      if (clock.monotonic() - lane.usedAt >= CLIENT_SILENCE) lane.session.end('the client is gone');
    }
  }

  /** Ends idle sessions without streams. If there are still too many, ends the least recently used one. */
  #forgetIdle(now: number): void {
    const idle = [...this.#lanes].filter(([, { session }]) => session.isIdle);
    idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const excess = this.#lanes.size - (MAX_SESSIONS - 1);
    for (const [i, [name, { session, usedAt }]] of idle.entries()) {
      if (i >= excess && usedAt + IDLE > now) break;
      this.#lanes.delete(name);
      session.end('idle');
    }
  }

  #transport(lane: Lane, connection: JoinedConnection): MessageTransport {
    const transport: MessageTransport = {
      parallel: PARALLEL,
      send: async (payload) => {
        await this.#bucket.take();
        await connection.connection.send(encodeGatewayMessage({ type: 'routed', route: lane.route, payload }));
      },
      close: () => undefined,
    };
    this.#transports.set(lane, () => lane.session.detach(transport));
    return transport;
  }
}

/** Whether a route leads back to the origin of another one, for the same session. */
const isBack = (route: Route, there: Route | undefined): boolean =>
  there?.session === route.session && there.from === route.to && there.to === route.from;

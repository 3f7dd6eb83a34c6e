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
/** The interval in ms at which a server that has not switched is notified of the next connection, and the number of repeats. */
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

interface RoutedSession {
  readonly session: Session;
  /** The connection on which the route arrived. The route is valid only for this connection. */
  connection: JoinedConnection;
  route: string;
  expires: number;
  usedAt: number;
}

/** The sessions of an agent with all API server processes that reach it through a gateway. */
export class AgentSessions {
  readonly #ports: AgentSessionsPorts;
  readonly #sessions = new Map<string, RoutedSession>();
  /** Functions that detach the transports of sessions. */
  readonly #transports = new WeakMap<RoutedSession, () => void>();
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
    // The relay has verified the sender by the first route, so the sender may only use its own session.
    if (answer !== undefined && !isBack(route, this.#routes.verify(first, key))) return;
    const known = this.#sessions.get(route.session);
    const routed = known ?? this.#begin(route.session, connection, { isClient: answer !== undefined });
    if (routed === undefined) return;
    routed.usedAt = this.#ports.clock.monotonic();
    const isNewer = route.expires > routed.expires;
    const isOther = routed.connection !== connection || !routed.session.isConnected;
    if (isNewer) {
      routed.connection = connection;
      routed.route = text;
      routed.expires = route.expires;
    }
    if (isOther && routed.connection === connection) routed.session.attach(this.#transport(routed, connection));
    try {
      routed.session.receive(payload);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      routed.session.end(error.message);
    }
  }

  /** Called when the connection has ended. Its sessions wait for the next one. */
  lost(connection: JoinedConnection): void {
    for (const routed of this.#sessions.values())
      if (routed.connection === connection) this.#transports.get(routed)?.();
  }

  /** Notifies the servers with open streams that the connection is about to end, until each has switched to another one. Never rejects. */
  async leave(connection: JoinedConnection, signal: AbortSignal): Promise<void> {
    for (let i = 0; i < MOVES && !signal.aborted; i++) {
      const left = [...this.#sessions.values()].filter(
        (routed) => routed.connection === connection && !routed.session.isIdle,
      );
      if (left.length === 0) return;
      const payload = new Uint8Array();
      for (const { route } of left)
        connection.connection.send(encodeGatewayMessage({ type: 'routed', route, payload })).catch(() => undefined);
      await this.#ports.clock.sleep(MOVE_AGAIN, signal);
    }
  }

  end(reason: string): void {
    for (const { session } of this.#sessions.values()) session.end(reason);
  }

  #begin(name: string, connection: JoinedConnection, { isClient }: { isClient: boolean }): RoutedSession | undefined {
    const { clock, random, accept } = this.#ports;
    const now = clock.monotonic();
    this.#forgetIdle(now);
    if (this.#sessions.size >= MAX_SESSIONS) return undefined;
    const session = new Session({
      clock,
      randomId: () => Math.floor(random() * 2 ** 48),
      accept,
      ring: () => undefined, // notifications use no session
    });
    const routed: RoutedSession = { session, connection, route: '', expires: 0, usedAt: now };
    this.#sessions.set(name, routed);
    void session.ended.then(() => {
      if (this.#sessions.get(name) === routed) this.#sessions.delete(name);
    });
    if (isClient) void this.#watchClient(routed);
    return routed;
  }

  /** Ends the session when its client is gone. A live client pings the agent after 30 s of silence. */
  async #watchClient(routed: RoutedSession): Promise<void> {
    const { clock } = this.#ports;
    const over = new AbortController();
    void routed.session.ended.then(() => over.abort());
    while (!over.signal.aborted) {
      await clock.sleep(CLIENT_SILENCE / 2, over.signal);
      if (clock.monotonic() - routed.usedAt >= CLIENT_SILENCE) routed.session.end('the client is gone');
    }
  }

  /** Ends idle sessions without streams. If there are still too many, ends the least recently used one. */
  #forgetIdle(now: number): void {
    const idle = [...this.#sessions].filter(([, { session }]) => session.isIdle);
    idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const excess = this.#sessions.size - (MAX_SESSIONS - 1);
    for (const [i, [name, { session, usedAt }]] of idle.entries()) {
      if (i >= excess && usedAt + IDLE > now) break;
      this.#sessions.delete(name);
      session.end('idle');
    }
  }

  #transport(routed: RoutedSession, connection: JoinedConnection): MessageTransport {
    const transport: MessageTransport = {
      parallel: PARALLEL,
      send: async (payload) => {
        await this.#bucket.take();
        await connection.connection.send(encodeGatewayMessage({ type: 'routed', route: routed.route, payload }));
      },
      close: () => undefined,
    };
    this.#transports.set(routed, () => routed.session.detach(transport));
    return transport;
  }
}

/** Whether a route leads back to the origin of another route, for the same session. */
const isBack = (route: Route, there: Route | undefined): boolean =>
  there?.session === route.session && there.from === route.to && there.to === route.from;

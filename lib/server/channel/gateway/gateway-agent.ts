import type { KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { ByteStream } from '../byte-stream.ts';
import type { Grant, GrantVerifier } from '../grant.ts';
import { publicKeyIn } from '../signed.ts';
import { AgentSessions } from './agent-sessions.ts';
import { JoinedConnection } from './joined-connection.ts';
import type { GatewayMessage } from './message.ts';
import type { ConnectText } from './text-connection.ts';
import type { TicketAnswer } from './ticket-office.ts';

/** The time-out in ms of the relay's answer to the first message. */
const JOIN_TIMEOUT = 10_000;
/** The minimum age in ms at which a connection is replaced, and the random addition to it. The gateway ends connections after two hours. */
const REPLACE_AFTER = 60 * 60_000;
const REPLACE_SPREAD = 30 * 60_000;
/** The pause between attempts to replace a connection: 2.5 to 7.5 s at first, and 2.5 to 7.5 minutes at most. */
const BACKOFF = { duration: 2500, factor: 2, jitter: 2, cap: 150_000 };
/** The interval between pings in ms, because the gateway ends connections after ten idle minutes, and the time-out of the pong. */
const KEEP_ALIVE = 9 * 60_000;
const PING_TIMEOUT = 10_000;

/** An agent's access to a gateway. */
export interface AgentGateway {
  /**
   * Requests a ticket from the API server. Undefined if the server accepts connections itself. Rejects with the server's message if it
   * refuses.
   */
  ticket(signal: AbortSignal): Promise<TicketAnswer | undefined>;
  readonly connect: ConnectText;
}

export interface GatewayAgentPorts {
  readonly clock: Clock;
  readonly node: string;
  readonly gateway: AgentGateway;
  readonly grants: GrantVerifier;
  /** Returns a random number in [0, 1). */
  random(): number;
  accept(grant: Grant, stream: ByteStream): void | Promise<void>;
  ring(body: Json): void;
}

/** An agent's end of a gateway. It has one connection, replaced before it is too old, for the sessions of all API server processes. */
export class GatewayAgent {
  readonly #ports: GatewayAgentPorts;
  readonly #sessions: AgentSessions;

  constructor(ports: GatewayAgentPorts) {
    const { clock, random, accept, grants } = ports;
    this.#ports = ports;
    this.#sessions = new AgentSessions({
      clock,
      random,
      now: () => grants.now(),
      accept: (body, stream, id) => accept(grants.verify(body, id), stream),
    });
  }

  end(reason: string): void {
    this.#sessions.end(reason);
  }

  /** Connects with the ticket, and carries streams until no connection remains. Resolves with the reason. Rejects if it cannot connect. */
  async run(answer: TicketAnswer, connected: () => void, signal: AbortSignal): Promise<string> {
    let current = await this.#enter(answer, signal);
    connected();
    for (;;) {
      const over = new AbortController();
      const next = await Promise.race([current.over, this.#successor(signal, over.signal)]);
      over.abort();
      if (next === undefined || typeof next === 'string') return next ?? 'the agent ends';
      void this.#replace(current, signal);
      current = next;
    }
  }

  async #enter(answer: TicketAnswer, signal: AbortSignal): Promise<JoinedConnection> {
    const { clock, node, gateway, grants } = this.#ports;
    grants.trust(answer);
    const key = publicKeyIn(answer.grantKey);
    let joined: JoinedConnection | undefined;
    const message = (one: GatewayMessage): void => joined && this.#take(joined, key, one);
    const joining = {
      clock,
      connect: gateway.connect,
      url: answer.url,
      request: { ticket: answer.ticket, node, message },
      timeout: JOIN_TIMEOUT,
    };
    const entered = await JoinedConnection.open(joining, signal);
    joined = entered;
    const listener = onAbort(signal, () => entered.connection.close());
    const closed = new AbortController();
    void entered.connection.closed.then(() => {
      listener[Symbol.dispose]();
      closed.abort();
      this.#sessions.lost(entered);
    });
    void this.#keepAlive(entered, closed.signal);
    return entered;
  }

  #take(joined: JoinedConnection, key: KeyObject, message: GatewayMessage): void {
    if (message.type === 'ring') this.#ports.ring(message.body);
    else if (message.type === 'routed') this.#sessions.take(joined, key, message);
  }

  async #keepAlive(joined: JoinedConnection, closed: AbortSignal): Promise<void> {
    while (!closed.aborted) {
      await this.#ports.clock.sleep(KEEP_ALIVE, closed);
      if (!closed.aborted && !(await joined.ping(PING_TIMEOUT))) joined.connection.close();
    }
  }

  /**
   * Resolves with the next connection. Undefined if one of the signals aborts first. `over` aborts when no caller waits for the connection
   * any more.
   */
  async #successor(signal: AbortSignal, over: AbortSignal): Promise<JoinedConnection | undefined> {
    const { clock, random, gateway } = this.#ports;
    const ending = AbortSignal.any([signal, over]);
    await clock.sleep(REPLACE_AFTER + random() * REPLACE_SPREAD, ending);
    for (let failures = 1; !ending.aborted; failures++) {
      try {
        const answer = await gateway.ticket(ending);
        const joined = answer && (await this.#enter(answer, signal));
        if (joined !== undefined && !ending.aborted) return joined;
        joined?.connection.close();
      } catch {
        // the previous connection is still established
      }
      await clock.sleep(delayAfter(failures, BACKOFF, random), ending);
    }
    return undefined;
  }

  async #replace(before: JoinedConnection, signal: AbortSignal): Promise<void> {
    await this.#sessions.leave(before, signal);
    before.connection.close();
  }
}

import type { Clock } from '#lib/machinery/clock.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { decodeGatewayMessage, encodeGatewayMessage, type GatewayMessage } from './message.ts';
import type { ConnectText, TextConnection, TextConnectionRequest } from './text-connection.ts';

/** The time in ms after which an unanswered join is sent again. */
const AGAIN = 1000;

/** How to open a connection. */
export interface Joining {
  readonly clock: Clock;
  readonly connect: ConnectText;
  readonly url: string;
  readonly request: Omit<TextConnectionRequest, 'message'> & { message(message: GatewayMessage): void };
  /** The time-out in ms of the relay's answer to the join. */
  readonly timeout: number;
}

/** The client's end of a connection to the gateway that the relay has accepted. */
export class JoinedConnection {
  readonly connection: TextConnection;
  readonly #clock: Clock;
  readonly #answered = new Set<() => void>();
  #heardAt: number;
  #id = '';
  /** The reason that the relay gave for closing it. */
  #reason = '';

  private constructor(clock: Clock, connection: TextConnection) {
    this.#clock = clock;
    this.connection = connection;
    this.#heardAt = clock.monotonic();
  }

  /** Connects and joins. Rejects with the reason if that fails. */
  static async open(joining: Joining, signal: AbortSignal): Promise<JoinedConnection> {
    const { clock, connect, url, request, timeout } = joining;
    let joined: JoinedConnection | undefined;
    const message = (text: string): void => joined?.take(decodeGatewayMessage(text), request.message);
    const connection = await connect(url, { ...request, message }, signal);
    joined = new JoinedConnection(clock, connection);
    if (await joined.ping(timeout)) return joined;
    connection.close();
    throw new TransportError(joined.#reason === '' ? 'the relay does not answer' : joined.#reason);
  }

  /** The gateway's id of the connection. */
  get id(): string {
    return this.#id;
  }

  /** The time in ms since the last message. */
  get silence(): number {
    return this.#clock.monotonic() - this.#heardAt;
  }

  /** Resolves with the reason of the relay or the peer when the connection ends. */
  get over(): Promise<string> {
    return this.connection.closed.then((reason) => this.#reason || reason || 'the connection is lost');
  }

  /** Whether the relay answers within `timeout` ms. */
  async ping(timeout: number): Promise<boolean> {
    const answered = new AbortController();
    const answer = (): void => answered.abort();
    this.#answered.add(answer);
    void this.connection.closed.then(answer);
    const end = this.#clock.monotonic() + timeout;
    let isOver = false;
    while (!answered.signal.aborted && !isOver) {
      this.connection.send(encodeGatewayMessage({ type: 'join' })).catch(answer);
      const left = end - this.#clock.monotonic();
      await this.#clock.sleep(Math.min(AGAIN, left), answered.signal);
      isOver = this.#clock.monotonic() >= end;
    }
    return !this.#answered.delete(answer);
  }

  /** Handles a message. Messages of agents and servers are passed to `pass`. */
  take(message: GatewayMessage | undefined, pass: (message: GatewayMessage) => void): void {
    this.#heardAt = this.#clock.monotonic();
    if (message === undefined) return;
    if (message.type === 'close') {
      this.#reason = message.reason;
      this.connection.close();
    } else if (message.type === 'joined') {
      this.#id = message.connection;
      for (const answer of this.#answered) answer();
      this.#answered.clear();
    } else pass(message);
  }
}

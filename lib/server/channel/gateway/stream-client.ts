import type { KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { TokenBucket } from '#lib/machinery/token-bucket.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { ByteStream } from '../byte-stream.ts';
import { FrameError } from '../frame.ts';
import type { MessageTransport } from '../message-transport.ts';
import { Session } from '../session.ts';
import { publicKeyIn } from '../signed.ts';
import { JoinedConnection } from './joined-connection.ts';
import { encodeGatewayMessage, type GatewayMessage } from './message.ts';
import { RouteVerifier } from './route-verifier.ts';
import type { SpentTicket, StreamRoutes, StreamTicket } from './stream-office.ts';
import type { ConnectText } from './text-connection.ts';

/** The time-out in ms of the relay's answer to the first message. */
const JOIN_TIMEOUT = 10_000;
/** The maximum messages per second of a client: half of the relay's limit. */
const RATE = { qps: 100, burst: 100 } as const;
const PARALLEL = 4;
/** The time of silence in ms after which the agent is pinged, and the time-out in ms of the pong. */
const SILENCE = 30_000;
const PING_TIMEOUT = 5000;
/** The interval in ms between requests for the agent's next connection. */
const AGAIN = 1000;
/** The time in ms in which the agent should receive the end of the stream. */
const FAREWELL = 1000;

export interface StreamClientPorts {
  readonly clock: Clock;
  readonly connect: ConnectText;
  /** Requests the route to the agent from the API server. Rejects with the server's message if it refuses. */
  routes(spent: SpentTicket): Promise<StreamRoutes>;
  /** Returns a random number of 48 bits. */
  randomId(): number;
}

/**
 * A user's end of one stream to a node through a gateway. It has its own connection, on which the client has the API server's role in a
 * session with the agent. The stream occupies no function. The gateway ends the connection after two hours, and with it the stream.
 */
export class StreamClient {
  readonly #ports: StreamClientPorts;
  readonly #ticket: StreamTicket;
  readonly #session: Session;
  readonly #bucket: TokenBucket;
  readonly #verifier: RouteVerifier;
  readonly #key: KeyObject;
  readonly #id: number;
  #joined: JoinedConnection | undefined;
  #routes: StreamRoutes | undefined;
  #heardAt: number;
  #isAsking = false;
  #fault = '';

  private constructor(ticket: StreamTicket, ports: StreamClientPorts) {
    const { clock } = ports;
    this.#ports = ports;
    this.#ticket = ticket;
    this.#key = publicKeyIn(ticket.grantKey);
    this.#bucket = new TokenBucket({ ...RATE, clock });
    this.#heardAt = clock.monotonic();
    const ahead = ticket.time - this.#heardAt;
    this.#verifier = new RouteVerifier(() => clock.monotonic() + ahead);
    this.#id = ports.randomId();
    const ids = [this.#id];
    this.#session = new Session({
      clock,
      randomId: () => ids.pop() ?? ports.randomId(),
      accept() {
        throw new Error('a client accepts no streams');
      },
      ring: () => undefined,
    });
  }

  /** Connects with the ticket. Rejects with the reason if that fails. Aborting ends the connection. */
  static async connect(ticket: StreamTicket, ports: StreamClientPorts, signal: AbortSignal): Promise<StreamClient> {
    const client = new StreamClient(ticket, ports);
    await client.#join(signal);
    return client;
  }

  /** Opens the stream. Must be called only once. Rejects with TransportError if the agent refuses it or does not answer. */
  async open(signal: AbortSignal): Promise<ByteStream> {
    const { grant } = this.#routes ?? { grant: null };
    const opened = await this.#session.open(grant, signal);
    void this.#watch();
    return opened;
  }

  /** Resolves with the reason when the connection or the session ends. */
  get over(): Promise<string> {
    return this.#session.ended.then((reason) => this.#fault || reason);
  }

  /** Ends the connection after the agent has received the end of the stream. */
  async close(stream?: ByteStream): Promise<void> {
    const { clock } = this.#ports;
    stream?.destroy();
    const end = clock.monotonic() + FAREWELL;
    while (!this.#session.isIdle && !this.#session.isOver && clock.monotonic() < end) await clock.sleep(20);
    this.#session.end('the client ends');
    this.#joined?.connection.close();
  }

  async #join(signal: AbortSignal): Promise<void> {
    const { clock, connect } = this.#ports;
    const { ticket, url } = this.#ticket;
    const message = (one: GatewayMessage): void => this.#take(one);
    const request = { ticket, node: '', message };
    const joined = await JoinedConnection.open({ clock, connect, url, request, timeout: JOIN_TIMEOUT }, signal);
    this.#joined = joined;
    const listener = onAbort(signal, () => void this.close()); // aborting the stream notifies the agent
    void joined.over.then((reason) => {
      listener[Symbol.dispose]();
      this.#session.end(reason);
    });
    try {
      this.#use(await this.#asked());
    } catch (error) {
      joined.connection.close();
      throw error;
    }
  }

  #asked(): Promise<StreamRoutes> {
    const connection = this.#joined?.id ?? '';
    return this.#ports.routes({ ticket: this.#ticket.ticket, connection, stream: this.#id });
  }

  #use(routes: StreamRoutes): void {
    this.#fault = '';
    if (this.#routes !== undefined && this.#routes.agent !== routes.agent)
      return this.#session.end('the agent of the node was started again');
    this.#routes = routes;
    this.#session.attach(this.#transport(routes));
  }

  #transport({ route, answer }: StreamRoutes): MessageTransport {
    return {
      parallel: PARALLEL,
      send: async (payload) => {
        await this.#bucket.take();
        const text = encodeGatewayMessage({ type: 'routed', route, answer, payload });
        await this.#joined?.connection.send(text);
      },
      close: () => undefined,
    };
  }

  #take(message: GatewayMessage): void {
    if (message.type === 'gone' && message.connection === this.#routes?.connection)
      return void this.#reroute({ gone: message.connection });
    if (message.type !== 'routed') return;
    const route = this.#verifier.verify(message.route, this.#key);
    if (route?.session !== this.#ticket.session || route.to !== this.#joined?.id) return;
    this.#heardAt = this.#ports.clock.monotonic();
    if (message.payload.length === 0) return void this.#reroute();
    try {
      this.#session.receive(message.payload);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#session.end(error.message);
    }
  }

  /** Pings the agent periodically while the stream is open. */
  async #watch(): Promise<void> {
    const { clock } = this.#ports;
    const over = new AbortController();
    void this.#session.ended.then(() => over.abort());
    while (!over.signal.aborted && !this.#session.isIdle) {
      await clock.sleep(SILENCE, over.signal);
      const isSilent = !over.signal.aborted && clock.monotonic() - this.#heardAt >= SILENCE;
      if (isSilent && !(await this.#session.ping(PING_TIMEOUT))) await this.#reroute();
    }
  }

  /** Switches to the agent's newest connection. If the previous one is `gone`, waits for another one as long as the session lasts. */
  async #reroute({ gone } = { gone: '' }): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    if (gone !== '') this.#pause();
    let isOver = false;
    while (!isOver && !this.#session.isOver) {
      try {
        const routes = await this.#asked();
        isOver = routes.connection !== gone;
        if (isOver) this.#use(routes);
      } catch (error) {
        this.#fault = messageOfError(error);
        isOver = gone === ''; // the connection may still work: the next silence triggers another check
      }
      if (!isOver) await this.#ports.clock.sleep(AGAIN);
    }
    this.#isAsking = false;
  }

  /** Detaches the session, so that it neither sends nor gives up until a connection is available again. */
  #pause(): void {
    const none: MessageTransport = { parallel: 0, send: async () => undefined, close: () => undefined };
    this.#session.attach(none);
    this.#session.detach(none);
  }
}

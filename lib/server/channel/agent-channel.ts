import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import type { ByteStream } from './byte-stream.ts';
import { decodeFrame, encodeFrame } from './frame-codec.ts';
import { type AgentGateway, GatewayAgent } from './gateway/gateway-agent.ts';
import { type Grant, GrantVerifier } from './grant.ts';
import { type AgentHello, decodeServerHello, type ServerHello, VERSION } from './hello.ts';
import type { MessageTransport } from './message-transport.ts';
import { NOTIFICATIONS } from './notification.ts';
import { Session, type SessionPorts } from './session.ts';

/** The time-out in ms of the server's first message. Before it, the server may spend 5 s on a ping of another instance. */
const HELLO_TIMEOUT = 15_000;
/** The idle time in ms after which the agent pings the server, and the time-out in ms of the pong. */
const SILENCE = 30_000;
const PING_TIMEOUT = 15_000;
/**
 * The pause before the next connection attempt: 0.5 to 1.5 s at first, and 15 to 45 s at most. It is random, because many agents may lose
 * their server at once.
 */
const BACKOFF = { duration: 500, factor: 2, jitter: 2, cap: 15_000 };
/** The time in ms after which a connection resets the back-off. */
const RESET = 60_000;

/** An established connection to the server. */
export interface Connection extends MessageTransport {
  /** Resolves when it ends, with the server's reason. '' if the server gave none. */
  readonly closed: Promise<string>;
}

export interface AgentChannelPorts extends Pick<SessionPorts, 'ring'> {
  readonly clock: Clock;
  /** The node to which the channel belongs. */
  readonly node: string;
  readonly hello: Omit<AgentHello, 'version' | 'features'>;
  /** Called when the server opens a granted stream. If it throws, the stream is refused and the server receives the error's message. */
  accept(grant: Grant, stream: ByteStream): void | Promise<void>;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Access to a gateway, for servers that accept no connections themselves. Default none. */
  readonly gateway?: AgentGateway;
  /** Opens a connection that passes its messages to `message`, which throws if one is invalid. Rejects if it cannot connect. */
  connect(message: (bytes: Uint8Array) => void, signal: AbortSignal): Promise<Connection>;
  /** Called when the channel is established, and with the reason when it is not. An error ends the channel. */
  report(state: ChannelState): void;
}

/** Whether the channel is established. `features` are the server's features. */
export type ChannelState =
  | { readonly connected: true; readonly features: readonly string[] }
  | { readonly connected: false; readonly reason: string };

/** Keeps a channel to the server until the signal aborts, reconnecting as needed. Rejects with the errors of `report`. */
export async function runAgentChannel(ports: AgentChannelPorts, signal: AbortSignal): Promise<void> {
  const { clock } = ports;
  const channel = new AgentChannel(ports);
  for (let failures = 1; !signal.aborted; failures++) {
    const began = clock.monotonic();
    const reason = await channel.once(signal);
    if (signal.aborted) break;
    ports.report({ connected: false, reason });
    if (clock.monotonic() - began >= RESET) failures = 1;
    await clock.sleep(
      delayAfter(failures, BACKOFF, () => ports.random()),
      signal,
    );
  }
  channel.end('the agent ends');
}

class AgentChannel {
  readonly #ports: AgentChannelPorts;
  readonly #grants: GrantVerifier;
  readonly #gateway: GatewayAgent | undefined;
  #session: Session | undefined;
  /** The server's name for the session. */
  #name = '';

  constructor(ports: AgentChannelPorts) {
    this.#ports = ports;
    this.#grants = new GrantVerifier({ node: ports.node, session: ports.hello.session }, ports.clock);
    const { gateway } = ports;
    this.#gateway = gateway && new GatewayAgent({ ...ports, gateway, grants: this.#grants });
  }

  end(reason: string): void {
    this.#session?.end(reason);
    this.#gateway?.end(reason);
  }

  /**
   * Connects via the transport that the server selects, and carries streams until the connection ends. Resolves with the reason and never
   * rejects.
   */
  async once(signal: AbortSignal): Promise<string> {
    const { gateway, report } = this.#ports;
    try {
      const ticket = await gateway?.ticket(signal);
      if (ticket === undefined || this.#gateway === undefined) return await this.#direct(signal);
      return await this.#gateway.run(ticket, () => report({ connected: true, features: ticket.features }), signal);
    } catch (error) {
      return messageOfError(error);
    }
  }

  /** Like `once`, over a connection to the server itself. Rejects if it cannot connect. */
  async #direct(signal: AbortSignal): Promise<string> {
    const greeting = Promise.withResolvers<ServerHello>();
    let session: Session | undefined;
    const take = (bytes: Uint8Array): void => {
      if (session !== undefined) return session.receive(bytes);
      const frame = decodeFrame(bytes);
      if (frame.type === 'hello') greeting.resolve(decodeServerHello(frame.body)); // the peer sends any other frame again
    };
    const connection = await this.#ports.connect(take, signal);
    const over = new AbortController();
    using _listener = onAbort(signal, () => connection.close('the agent ends'));
    try {
      const refusal = await this.#greet(connection, greeting.promise);
      if (refusal !== undefined) return refusal;
      const hello = await greeting.promise;
      this.#grants.trust(hello);
      session = this.#sessionOf(hello.session);
      session.attach(connection);
      this.#ports.report({ connected: true, features: hello.features });
      void this.#keepAlive(session, connection, over.signal);
      return (await connection.closed) || 'the connection is lost';
    } finally {
      over.abort();
      session?.detach(connection);
    }
  }

  /** Pings twice a minute. A load balancer closes idle connections, and does not report the loss of the server behind it. */
  async #keepAlive(session: Session, connection: Connection, over: AbortSignal): Promise<void> {
    for (;;) {
      await this.#ports.clock.sleep(SILENCE, over);
      if (over.aborted) return;
      if (!(await session.ping(PING_TIMEOUT)) && !over.aborted) connection.close('the server does not answer');
    }
  }

  /** Sends hello. Resolves with undefined if the server accepts, otherwise with the reason. */
  async #greet(connection: Connection, greeting: Promise<unknown>): Promise<string | undefined> {
    const { clock, hello } = this.#ports;
    await connection.send(
      encodeFrame({ type: 'hello', body: { version: VERSION, features: [NOTIFICATIONS], ...hello } }),
    );
    const closed = connection.closed.then((reason) => reason || 'the server closed the connection');
    const first = (): Promise<string> => Promise.race([greeting.then(() => ''), closed]);
    const refusal = (await atMost(HELLO_TIMEOUT, first, { clock })) ?? 'the server did not answer';
    if (refusal === '') return undefined;
    connection.close('');
    return refusal;
  }

  /** Returns the session with that name, or a new one if the server no longer has the previous one. */
  #sessionOf(name: string): Session {
    if (this.#session?.isOver === false && this.#name === name) return this.#session;
    this.#session?.end('the server was started again');
    const { clock, random, accept, ring } = this.#ports;
    this.#name = name;
    this.#session = new Session({
      clock,
      randomId: () => Math.floor(random() * 2 ** 48),
      accept: (body, stream, id) => accept(this.#grants.verify(body, id), stream),
      ring,
    });
    return this.#session;
  }
}

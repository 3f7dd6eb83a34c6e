import type { Clock } from '#lib/machinery/clock.ts';
import { equal, type Json } from '#lib/machinery/json-value.ts';
import type { ByteStream } from './byte-stream.ts';
import type { Via } from './dialer.ts';
import { FrameError } from './frame.ts';
import { decodeFrame, encodeFrame } from './frame-codec.ts';
import { GrantSigner } from './grant.ts';
import { type AgentHello, decodeAgentHello, nameTaken, type ServerHello, VERSION } from './hello.ts';
import type { InterestKeeper, Interests } from './interests.ts';
import type { MessageTransport } from './message-transport.ts';
import type { Notification } from './notification.ts';
import { Session } from './session.ts';

/** The time-out in ms of an agent's first message. */
const HELLO_TIMEOUT = 10_000;
/** The time in ms in which a connected instance must prove that it is alive. After it, another instance may take its name. */
const PING_TIMEOUT = 5000;

export interface NodeChannelsPorts {
  readonly clock: Clock;
  /** Returns a random stream id of 48 bits. */
  randomId(): number;
  /** Returns a random name for a session. */
  randomName(): string;
  /** Features of the server. Default none. */
  readonly features?: readonly string[];
}

interface Joined {
  readonly hello: AgentHello;
  /** The server's name for the session. */
  readonly name: string;
  readonly session: Session;
  /** Undefined until the agent has polled and requested notifications. */
  interests?: Interests;
}

/** Handles one message of a connection. Throws FrameError if the connection is unusable. */
export type TakeMessage = (message: Uint8Array) => void;

/** The channels of nodes at the API server, with one session per node. */
export class NodeChannels implements InterestKeeper {
  readonly #ports: NodeChannelsPorts;
  readonly #joined = new Map<string, Joined>();
  readonly #grants: GrantSigner;

  constructor(ports: NodeChannelsPorts) {
    this.#ports = ports;
    this.#grants = new GrantSigner(ports.clock);
  }

  /** Opens a stream to an endpoint that the node's agent reaches, with a grant. Undefined without a channel. Throws TransportError. */
  open(
    { node, purpose }: Via,
    { host, port }: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<ByteStream> | undefined {
    const joined = this.#joined.get(node);
    if (joined === undefined) return undefined;
    const { session } = joined.hello;
    const sign = (stream: number): Json => this.#grants.sign({ ...purpose, node, host, port, stream, session });
    return joined.session.open(sign, signal);
  }

  /** Returns the session of a node that has a channel. */
  find(node: string): Session | undefined {
    return this.#joined.get(node)?.session;
  }

  /** Accepts a connection of the node's agent, whose first message must be a hello. */
  connect(node: string, transport: MessageTransport): TakeMessage {
    let session: Session | undefined;
    let hasGreeted = false;
    void this.#ports.clock.sleep(HELLO_TIMEOUT).then(() => hasGreeted || transport.close('no hello in time'));
    const greet = async (hello: AgentHello): Promise<void> => {
      session = await this.#join(node, hello, transport);
    };
    return (message) => {
      if (hasGreeted) return session?.receive(message);
      hasGreeted = true;
      const frame = decodeFrame(message);
      if (frame.type !== 'hello') throw new FrameError('the first message is no hello');
      void greet(decodeAgentHello(frame.body));
    };
  }

  /** Called when the node's connection has ended. Its streams wait for the next one. */
  disconnect(node: string, transport: MessageTransport): void {
    this.find(node)?.detach(transport);
  }

  /** Stores the interests of a node as long as its session lasts. */
  async keep(node: string, interests: Interests): Promise<void> {
    const joined = this.#joined.get(node);
    if (joined !== undefined) joined.interests = interests;
  }

  /** Yields the connected nodes whose agents want notifications. */
  *rung(): Generator<{ readonly node: string; readonly interests: Interests }> {
    for (const [node, { session, interests }] of this.#joined)
      if (interests !== undefined && session.isConnected) yield { node, interests };
  }

  /** Notifies a node if it is connected. The notification may be lost. */
  ring(node: string, ring: Notification): void {
    this.find(node)?.ring({ ...ring });
  }

  /** Ends every session. */
  end(reason: string): void {
    for (const { session } of this.#joined.values()) session.end(reason);
  }

  async #join(node: string, hello: AgentHello, transport: MessageTransport): Promise<Session | undefined> {
    if (hello.version !== VERSION) return refused(transport, `version ${hello.version} of the channel is not served`);
    for (;;) {
      const before = this.#joined.get(node);
      if (before?.hello.session === hello.session) return this.#attach(before, transport);
      if (before !== undefined && (await this.#isElsewhere(before, hello))) return refused(transport, nameTaken(node));
      if (this.#joined.get(node) !== before) continue; // another connection joined meanwhile
      before?.session.end('the agent was started again');
      return this.#attach(this.#begin(node, hello), transport);
    }
  }

  #attach({ name, session }: Joined, transport: MessageTransport): Session {
    const { publicKey: grantKey } = this.#grants;
    const time = this.#ports.clock.now();
    const features = [...(this.#ports.features ?? [])];
    const body: ServerHello = { version: VERSION, features, session: name, grantKey, time };
    transport.send(encodeFrame({ type: 'hello', body })).catch(() => undefined); // the end of the connection is reported separately
    session.attach(transport);
    return session;
  }

  /** Whether a host other than this agent's uses the name. */
  async #isElsewhere({ hello, session }: Joined, { instance }: AgentHello): Promise<boolean> {
    return !equal(hello.instance, instance) && session.isConnected && (await session.ping(PING_TIMEOUT));
  }

  #begin(node: string, hello: AgentHello): Joined {
    const { clock, randomId, randomName } = this.#ports;
    const session = new Session({
      clock,
      randomId,
      accept() {
        throw new Error('the server accepts no streams');
      },
      ring: () => undefined,
    });
    const joined: Joined = { hello, name: randomName(), session };
    this.#joined.set(node, joined);
    void session.ended.then(() => {
      if (this.#joined.get(node) === joined) this.#joined.delete(node);
    });
    return joined;
  }
}

function refused(transport: MessageTransport, reason: string): undefined {
  transport.close(reason);
}

import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Address, PodOnNode } from '#lib/server/webhook/service-resolver.ts';

/** An address of a pod that is reached by the channel of its node. */
export type PodAddress = Address & { readonly via: PodOnNode };

/**
 * Opens a connection to a pod. Aborting gives it up until it stands, and ends it afterwards. Rejects with TransportError in Go's words; the
 * connection breaks with ECONNRESET, as one of TCP.
 */
export type ConnectPod = (address: PodAddress, signal: AbortSignal) => Promise<Duplex>;

/** The options of a request that may go to a pod. */
export interface RoutedOptions extends RequestOptions {
  readonly pod?: PodAddress;
  /** Gives the connection up until it stands. The `signal` of a request is not shown to agents. */
  readonly giveUp?: AbortSignal;
}

/** Takes the connection of a request, or the error. */
type Done = (error: Error | null, stream?: Duplex) => void;

/** HTTPS whose connections are kept: to pods by the channels of their nodes, elsewhere by TCP. TLS is the same over both. */
export class PodAgent extends Agent {
  readonly #connect: ConnectPod | undefined;

  constructor(options: AgentOptions, connect: ConnectPod | undefined) {
    super(options);
    this.#connect = connect;
  }

  override createConnection(options: RoutedOptions, done: Done): Duplex | null | undefined {
    const { pod, giveUp, ...rest } = options;
    if (pod === undefined || this.#connect === undefined) return super.createConnection(rest, done);
    const secured = connectPod(this.#connect, pod, giveUp).then((socket) => this.#secured(rest, socket));
    secured.then(
      (stream) => done(null, stream),
      (error: unknown) => done(asError(error)),
    );
    return undefined;
  }

  /** Connections to one pod are not used for another that has got its address. */
  override getName(options: RoutedOptions = {}): string {
    const { pod } = options;
    return pod === undefined ? super.getName(options) : `${super.getName(options)}:${pod.via.node}/${pod.via.podUid}`;
  }

  /** Throws, and ends the connection, where the certificates of the request are none. */
  #secured(options: RequestOptions, socket: Duplex): Duplex {
    const over: RequestOptions & { readonly socket: Duplex } = { ...options, socket };
    try {
      return super.createConnection(over) ?? socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
}

/** The connection outlives the request that it was opened for: what gives that up is no longer heard once it stands. */
export async function connectPod(
  connect: ConnectPod,
  pod: PodAddress,
  giveUp: AbortSignal | undefined,
): Promise<Duplex> {
  giveUp?.throwIfAborted();
  const ending = new AbortController();
  const stop = (): void => ending.abort(giveUp?.reason);
  giveUp?.addEventListener('abort', stop, { once: true });
  try {
    return await connect(pod, ending.signal);
  } catch (error) {
    giveUp?.throwIfAborted(); // that is why
    throw error;
  } finally {
    giveUp?.removeEventListener('abort', stop);
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { Address, PodOnNode } from '#lib/server/webhook/service-resolver.ts';

/** The address of a pod that is reached via the channel of its node. */
export type PodAddress = Address & { readonly via: PodOnNode };

/**
 * Opens a connection to a pod. Aborting the signal cancels the attempt, or ends an open connection. Rejects with TransportError in Go's
 * words. The connection fails with ECONNRESET, like a TCP connection.
 */
export type ConnectPod = (address: PodAddress, signal: AbortSignal) => Promise<Duplex>;

/** The options of a request that may go to a pod. */
export interface RoutedOptions extends RequestOptions {
  readonly pod?: PodAddress;
  /** Cancels the connection attempt, because agents do not see a request's `signal`. */
  readonly giveUp?: AbortSignal;
}

/** Receives the connection of a request, or the error. */
type Done = (error: Error | null, stream?: Duplex) => void;

/** HTTPS with kept connections, to pods via the channels of their nodes and to other servers over TCP. TLS is the same in both cases. */
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

  /** The key of a connection. Connections to one pod are not reused for another pod with the same address. */
  override getName(options: RoutedOptions = {}): string {
    const { pod } = options;
    return pod === undefined ? super.getName(options) : `${super.getName(options)}:${pod.via.node}/${pod.via.podUid}`;
  }

  /** Adds TLS. If the certificates of the request are invalid, throws and ends the connection. */
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

/** Opens a connection that outlives its request. Once the connection is open, the request's signal no longer affects it. */
export async function connectPod(
  connect: ConnectPod,
  pod: PodAddress,
  giveUp: AbortSignal | undefined,
): Promise<Duplex> {
  giveUp?.throwIfAborted();
  const ending = new AbortController();
  using _listener = giveUp && onAbort(giveUp, () => ending.abort(giveUp.reason));
  try {
    return await connect(pod, ending.signal);
  } catch (error) {
    giveUp?.throwIfAborted(); // throws the reason for the abort
    throw error;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

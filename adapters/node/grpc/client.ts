import { Client, credentials, Metadata, type ServiceError, type CallOptions as WireOptions } from '@grpc/grpc-js';
import {
  type CallOptions,
  type MethodDefinition,
  RpcError,
  type ServiceClient,
  type ServiceDefinition,
} from '#lib/machinery/rpc.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { codeOf } from './codes.ts';
import { KnownTexts, TextReader } from './text-reader.ts';

/** How a client connects and how long it waits. */
export interface ClientOptions {
  /** Default time-out of a unary call in ms. Without it, unary calls never time out. Streams have no time-out. */
  readonly timeout?: number;
  /** Whether calls wait until the peer listens. Otherwise they fail with Unavailable. */
  readonly waitForReady?: boolean;
  /** Maximum bytes of a message from the peer. Default: 16 MiB. A longer message fails the call with ResourceExhausted. */
  readonly maxMessage?: number;
  /** Called with the method's name when a unary call starts. The returned function is called once when the call ends. Neither may throw. */
  readonly observe?: (method: string) => (isFailed: boolean) => void;
}

/**
 * The channel to one Unix socket. It connects with the first call, and reconnects after the peer restarts. Clients of several services
 * share it.
 */
export interface SocketChannel extends Disposable {
  /** Resolves when the peer has accepted a connection. Rejects if none is accepted within this many ms. */
  ready(timeout: number): Promise<void>;
  /** A client of a service. Every method throws RpcError. */
  client<D extends ServiceDefinition>(definition: D): ServiceClient<D>;
}

/** The kubelet's limits: messages of 16 MiB, reconnects after 100 ms to 3 s. Every gRPC server accepts the authority `localhost`. */
const OPTIONS = {
  'grpc.default_authority': 'localhost',
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 3000,
};

/** Opens the channel to a Unix socket by its absolute path. Connects at the first call. */
export function dialSocket(path: string, options: ClientOptions = {}): SocketChannel {
  const { maxMessage = OPTIONS['grpc.max_receive_message_length'] } = options;
  const bounds = { ...OPTIONS, 'grpc.max_receive_message_length': maxMessage };
  const client = new Client(`unix:${path}`, credentials.createInsecure(), bounds);
  const texts = new KnownTexts();
  return {
    ready(timeout) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      client.waitForReady(Date.now() + timeout, (error) =>
        error === undefined ? resolve() : reject(new Error('context deadline exceeded', { cause: error })),
      );
      return promise;
    },
    client: (definition) => clientOf(definition, { client, texts, options }),
    [Symbol.dispose]: () => client.close(),
  };
}

interface Channel {
  readonly client: Client;
  readonly texts: KnownTexts;
  readonly options: ClientOptions;
}

function clientOf<D extends ServiceDefinition>(definition: D, channel: Channel): ServiceClient<D> {
  const methods = Object.entries(definition.methods).map(([name, method]) => {
    const call = new Call(`/${definition.fullName}/${method.name}`, method, channel);
    return [
      name,
      method.responseStream
        ? (request: never, options?: CallOptions) => call.stream(request, options)
        : (request: never, options?: CallOptions) => call.unary(request, options),
    ];
  });
  // The definition types its methods, but not its entries.
  return Object.fromEntries(methods) as ServiceClient<D>;
}

/** One method of a service on a channel. */
class Call {
  readonly #path: string;
  readonly #method: MethodDefinition;
  readonly #channel: Channel;

  constructor(path: string, method: MethodDefinition, channel: Channel) {
    this.#path = path;
    this.#method = method;
    this.#channel = channel;
  }

  async unary(request: never, { timeout = this.#channel.options.timeout, signal }: CallOptions = {}): Promise<unknown> {
    refuseAborted(signal);
    const ended = this.#channel.options.observe?.(this.#method.name);
    const until = deadlineOf(timeout);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call = this.#channel.client.makeUnaryRequest(
      this.#path,
      this.#encode,
      this.#decode,
      this.#method.requestType.fromPartial(request),
      this.#metadata(),
      until,
      (error, answer) => {
        ended?.(error !== null);
        if (error === null) resolve(answer);
        else reject(rpcError(error, until, signal));
      },
    );
    using _listener = signal && onAbort(signal, () => call.cancel());
    return await promise;
  }

  async *stream(request: never, { timeout, signal }: CallOptions = {}): AsyncGenerator<unknown, void> {
    refuseAborted(signal);
    const until = deadlineOf(timeout);
    const call = this.#channel.client.makeServerStreamRequest(
      this.#path,
      this.#encode,
      this.#decode,
      this.#method.requestType.fromPartial(request),
      this.#metadata(),
      until,
    );
    using _listener = signal && onAbort(signal, () => call.cancel());
    try {
      yield* call;
    } catch (error) {
      throw rpcError(error, until, signal);
    } finally {
      // A reader that stops early gets no error for its own cancellation.
      call.on('error', () => undefined);
      call.cancel();
    }
  }

  readonly #encode = (message: unknown): Buffer => Buffer.from(this.#method.requestType.encode(message).finish());
  readonly #decode = (bytes: Buffer): unknown =>
    this.#method.responseType.decode(new TextReader(bytes, this.#channel.texts));

  #metadata(): Metadata {
    return new Metadata({ waitForReady: this.#channel.options.waitForReady ?? false });
  }
}

const deadlineOf = (timeout: number | undefined): WireOptions & { readonly deadline?: number } =>
  timeout === undefined || timeout === Infinity ? {} : { deadline: Date.now() + timeout };

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new RpcError('Canceled', 'context canceled');
}

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && 'details' in error;

/** Converts the error of a failed call to Go's text. The call's own deadline and cancellation become context errors. */
function rpcError(error: unknown, { deadline }: { readonly deadline?: number }, signal?: AbortSignal): RpcError {
  if (!isServiceError(error)) return new RpcError('Internal', String(error), { cause: error });
  const code = codeOf(error.code);
  if (code === 'Canceled' && signal?.aborted === true) return new RpcError(code, 'context canceled', { cause: error });
  if (code === 'DeadlineExceeded' && deadline !== undefined && Date.now() >= deadline)
    return new RpcError(code, 'context deadline exceeded', { cause: error });
  return new RpcError(code, error.details, { cause: error });
}

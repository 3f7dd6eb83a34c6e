import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { StatusError, serviceUnavailable } from '#lib/machinery/errors.ts';
import type { AggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import { SessionEnd, type SessionLink } from '#lib/sdk/extension-apiserver/session.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import type { ApiRequest, ApiResponse } from '#lib/server/endpoints/api.ts';
import { messageOf } from '../start-fault.ts';
import { faultPlace } from './fault-place.ts';
import type { Call, FromWorker, ToWorker, WireError, WireResponse } from './protocol.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { ThreadSession } from './thread-session.ts';

/** The limits of one file of functions. */
export interface FunctionLimits {
  /** Milliseconds that a call may last. */
  readonly timeout: number;
  /** Mebibytes of heap. */
  readonly memory: number;
}

/** The ports and limits of a thread. */
export interface ThreadPorts {
  readonly limits: FunctionLimits;
  /** All its environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** The API, as the reconciler of this name. */
  handle(request: ApiRequest, name: string): Promise<ApiResponse>;
}

/** Milliseconds for a file to be loaded; and for a call to end that was told to. */
const LOAD = 20_000;
const GRACE = 1000;

const NEVER = new AbortController().signal;

type WorkerRequest = Extract<FromWorker, { type: 'request' }>;

interface CallOptions {
  /** Milliseconds. Default the limit. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Where what it logs goes. Default where all of the file does. */
  readonly log?: Logger;
}

/** The declarations of one file. */
export interface Declarations {
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly apis: readonly AggregatedApiDeclaration[];
}

interface Pending {
  readonly log: Logger | undefined;
  resolve(result: Result | Uint8Array): void;
  reject(error: Error): void;
}

/** One file of functions in a thread of its own: what it does to itself it does to nothing else. */
export class FunctionThread {
  /** Why it ended; undefined where it was closed. */
  readonly ended: Promise<Error | undefined>;
  readonly #worker: Worker;
  readonly #ports: ThreadPorts;
  readonly #loaded = Promise.withResolvers<Declarations>();
  readonly #calls = new Map<number, Pending>();
  /** The answers of APIs that are under way. */
  readonly #answers = new Map<number, StreamedAnswer>();
  readonly #sessions = new Map<number, ThreadSession>();
  #isClosed = false;
  #next = 0;
  /** Why it ends, known before it has. */
  #fault: Error | undefined;

  /** Resolves with the file's declarations. Rejects with the reason why it cannot be loaded. */
  get loaded(): Promise<Declarations> {
    return this.#loaded.promise;
  }

  constructor(file: string, ports: ThreadPorts) {
    this.#ports = ports;
    this.#worker = new Worker(new URL(import.meta.resolve('#local/functions/worker.ts')), {
      workerData: { file: pathToFileURL(file).href },
      env: { ...ports.environment },
      resourceLimits: { maxOldGenerationSizeMb: ports.limits.memory },
    });
    const late = setTimeout(() => this.#kill(threadFault(`is not loaded after ${LOAD / 1000} s`)), LOAD);
    const ended = Promise.withResolvers<Error | undefined>();
    this.ended = ended.promise;
    this.#worker.on('message', (message: FromWorker) => {
      this.#receive(message, () => clearTimeout(late)).catch((error: unknown) => this.#kill(this.#said(error)));
    });
    this.#worker.on('error', (error: unknown) => (this.#fault ??= this.#said(error)));
    this.#worker.on('exit', (code) => {
      clearTimeout(late);
      this.#fault ??= this.#isClosed ? undefined : threadFault(`ended itself with code ${code}`);
      const why = this.#fault ?? new Error('is closed');
      this.#loaded.reject(why);
      for (const { reject } of this.#calls.values()) reject(why);
      this.#calls.clear();
      ended.resolve(this.#fault);
    });
    this.loaded.catch(() => undefined); // rejections reach callers by `loaded` and `call`
  }

  /**
   * Calls the function. Rejects with its error. After `timeout`, or when `signal` aborts, the function is told, and the
   * thread ends if it does not listen.
   */
  call(call: Call, options: CallOptions = {}): Promise<Result | Uint8Array> {
    const { timeout = this.#ports.limits.timeout, signal = NEVER } = options;
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<Result | Uint8Array>();
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#calls.set(id, { resolve, reject, log: options.log });
    let dying: NodeJS.Timeout | undefined;
    const stop = (why: Error): void => {
      this.#post({ type: 'abort', id });
      dying ??= setTimeout(() => this.#kill(why), GRACE);
    };
    const remedy = call.what === 'reconcile' ? '; --function-timeout or functions.yaml gives it more time' : '';
    const late = setTimeout(() => stop(threadFault(`${call.name} was not done after ${timeout} ms${remedy}`)), timeout);
    const given = (): void => stop(threadFault(`${call.name} did not end when it was told to`));
    signal.addEventListener('abort', given, { once: true });
    this.#post({ type: 'call', id, call });
    return promise.finally(() => {
      clearTimeout(late);
      clearTimeout(dying);
      signal.removeEventListener('abort', given);
    });
  }

  /**
   * Calls an API and resolves with the head of its answer, whose body streams. Rejects with its error. After the limit without a head the
   * thread ends; from there on the answer lasts as long as its reader, or `signal`, wants. When the thread is closed, a watch ends and
   * every other answer breaks off.
   */
  async stream(
    call: Extract<Call, { what: 'api' }>,
    { signal = NEVER, log, timeout }: CallOptions,
  ): Promise<ApiResponse> {
    if (this.#fault !== undefined) throw this.#fault;
    signal.throwIfAborted(); // it aborts no second time: a watch would last although its client has gone
    const id = this.#next++;
    const answer = new StreamedAnswer({
      more: () => this.#post({ type: 'more', id }),
      abort: () => this.#post({ type: 'abort', id }),
    });
    this.#answers.set(id, answer);
    const reject = (error: Error): void => {
      if (!this.#isReplaced) answer.fail(error);
      else if (call.info.verb === 'watch' && answer.isBegun)
        answer.end(); // its client resumes
      else answer.fail(serviceUnavailable(`${call.name} is loaded again`, 1));
    };
    this.#calls.set(id, { log, resolve: () => answer.end(), reject });
    const limit = timeout ?? this.#ports.limits.timeout;
    const late = setTimeout(() => this.#kill(threadFault(`${call.name} did not answer after ${limit} ms`)), limit);
    const given = (): void => answer.stop();
    signal.addEventListener('abort', given, { once: true });
    void answer.ended.finally(() => {
      signal.removeEventListener('abort', given);
      this.#answers.delete(id);
    });
    this.#post({ type: 'call', id, call });
    return answer.head.finally(() => clearTimeout(late));
  }

  /**
   * Serves a session by an API. Resolves when the function has returned. Rejects with its error, or with SessionEnd where this thread is
   * closed. After the limit without a switch of protocols the thread ends; from there on the session lasts as long as both ends want.
   */
  async connect(
    call: Extract<Call, { what: 'connect' }>,
    link: SessionLink,
    limit = this.#ports.limits.timeout,
  ): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    const id = this.#next++;
    const late = setTimeout(() => this.#kill(threadFault(`${call.name} did not answer after ${limit} ms`)), limit);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#calls.set(id, { log: undefined, resolve, reject });
    this.#sessions.set(id, new ThreadSession(link, { opened: () => clearTimeout(late), post: (m) => this.#post(m) }));
    const over = (): void => {
      clearTimeout(late);
      this.#post({ type: 'abort', id });
    };
    link.signal.addEventListener('abort', over, { once: true });
    this.#post({ type: 'call', id, call });
    if (link.signal.aborted) over();
    try {
      await promise;
    } catch (error) {
      throw this.#isClosed ? new SessionEnd('function is loaded again') : error;
    } finally {
      clearTimeout(late);
      link.signal.removeEventListener('abort', over);
      this.#sessions.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.terminate();
  }

  /** Whether it is closed and had no fault: its file was saved again, or the server ends. */
  get #isReplaced(): boolean {
    return this.#isClosed && this.#fault === undefined;
  }

  #kill(why: Error): void {
    this.#fault ??= why;
    void this.#worker.terminate();
  }

  #said(error: unknown): Error {
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (isMemory)
      return threadFault(
        `took more than ${this.#ports.limits.memory} MiB of memory; --function-memory or functions.yaml gives it more`,
      );
    return threadFault(error instanceof Error ? `${faultPlace(error)}${messageOf(error)}` : String(error));
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** A file may send what it likes: what is no message ends its thread. */
  async #receive(message: FromWorker, loaded: () => void): Promise<void> {
    switch (message.type) {
      case 'loaded':
        loaded();
        return this.#loaded.resolve(message);
      case 'log':
        return this.#logOf(message.call)[message.level](message.message, message.fields);
      case 'request':
        return this.#post({ type: 'response', id: message.id, response: await this.#answer(message) });
      case 'head':
        return this.#answers.get(message.id)?.begin(message);
      case 'chunk':
        return this.#answers.get(message.id)?.take(message.bytes);
      case 'open':
      case 'receive':
      case 'send':
        return this.#sessions.get(message.id)?.answer(message);
      case 'result':
        this.#calls.get(message.id)?.resolve(message.result);
        break;
      case 'error':
        this.#calls.get(message.id)?.reject(thrown(message.error));
        break;
      default:
        message satisfies never;
        throw new TypeError('sent a message that is none');
    }
    this.#calls.delete(message.id);
  }

  #logOf(call: number | undefined): Logger {
    return (call === undefined ? undefined : this.#calls.get(call)?.log) ?? this.#ports.log;
  }

  /** A file has the rights of what it declares, and no others. */
  async #answer({ request: { query, body, ...request }, as }: WorkerRequest): Promise<WireResponse> {
    const { reconcilers } = await this.loaded;
    if (reconcilers.every(({ name }) => name !== as)) throw new TypeError(`there is no reconciler ${as}`);
    const given = { ...request, query: new URLSearchParams(query), body: async () => body, signal: NEVER };
    const { status, headers, body: answered } = await this.#ports.handle(given, as);
    return { status, headers, body: await whole(answered) };
  }
}

/** The fault of a thread. It has no stack: this program's is no place for the function's author to look at. */
export const threadFault = (message: string): Error =>
  Object.assign(new Error(message), { stack: `Error: ${message}` });

/** The error as it was thrown over there, with its own stack. */
function thrown({ message, stack, status }: WireError): Error {
  const error =
    status === undefined ? new Error(message) : new StatusError(status.reason, message, undefined, status.code);
  return Object.assign(error, { stack });
}

async function whole(body: ApiResponse['body']): Promise<Uint8Array> {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Worker } from 'node:worker_threads';
import type { ThreadCall } from '#lib/client/controller/in-thread.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { Interrupted, ThreadFault, TimedOut } from '#lib/client/controller/thread-end.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError, serviceUnavailable } from '#lib/machinery/errors.ts';
import { keyOf } from '#lib/machinery/namespaced-name.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { SessionEnd, type SessionLink } from '#lib/sdk/extension-apiserver/session.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { type Declarations, declarationsOf } from './declarations.ts';
import { faultPlace } from './fault-place.ts';
import type { Call, FromWorker, ToWorker, WireError, WireResponse } from './protocol.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { ThreadSession } from './thread-session.ts';

/** The limits of one file of functions. */
export interface FunctionLimits {
  /** Time-out of a call in ms. */
  readonly timeout: number;
  /** Heap limit in MiB. */
  readonly memory: number;
  /** Time-out in ms for loading the file. Default: 20 seconds. */
  readonly load?: number;
}

/** The ports and limits of a thread. */
export interface ThreadPorts {
  readonly limits: FunctionLimits;
  /** The name of the setting that raises each limit, for error messages. */
  readonly settings: Readonly<Record<'timeout' | 'memory', string>>;
  readonly log: Logger;
  /** Time in ms for an aborted call to end. Default: one second. */
  readonly grace?: number;
  /** Starts the worker, which serves its calls with `worker-calls.ts`. */
  start(): Worker;
  /** Sends an API request as the reconciler with this name. */
  handle(request: ApiRequest, name: string): Promise<ApiResponse>;
}

/** Default times in ms for loading a file, and for an aborted call to end. */
const LOAD = 20_000;
const GRACE = 1000;

/** Maximum number of keys that an error lists. */
const NAMED = 10;

const NEVER = new AbortController().signal;

interface BoundCall {
  /** The error message for a call that exceeds its time-out. */
  readonly late: string;
  readonly key?: string;
}

type WorkerRequest = Extract<FromWorker, { type: 'request' }>;

/** The limits of one call, and its log. */
export interface CallOptions {
  /** Time-out in ms. Default: the limit of the file. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal;
  /** The log for the call's output. Default: the log of the whole file. */
  readonly log?: Logger;
}

interface Pending {
  readonly log: Logger | undefined;
  /** `NAMESPACE/NAME` of a reconciler's call. Such a call can be repeated. */
  readonly key?: string | undefined;
  /** Runs requests of the call in the async context of its caller. */
  within<T>(run: () => T): T;
  resolve(result: Result | Uint8Array): void;
  reject(error: Error): void;
}

/** The functions of a file in a separate thread. A function that crashes its thread affects nothing outside it. */
export class FunctionThread {
  /** Resolves with the reason why the thread ended, or undefined if it was closed. */
  readonly ended: Promise<Error | undefined>;
  readonly #worker: Worker;
  readonly #ports: ThreadPorts;
  readonly #loaded = Promise.withResolvers<Declarations>();
  readonly #calls = new Map<number, Pending>();
  /** API responses in progress. */
  readonly #answers = new Map<number, StreamedAnswer>();
  readonly #sessions = new Map<number, ThreadSession>();
  #isClosed = false;
  #next = 0;
  /** The reason why the thread ends. It is set before the thread has ended. */
  #fault: Error | undefined;
  /** Aborted calls that the thread has acknowledged. The thread is responsive, but these calls ignore the signal. */
  readonly #deaf = new Set<number>();
  /** The call that ended the thread, if known. */
  #culprit: number | undefined;
  /** Whether an unknown call blocks the thread. */
  #isHeld = false;
  #isEnded = false;
  #endedByCall = false;
  #terminated: Promise<unknown> | undefined;

  /** Resolves with the file's declarations. Rejects with the reason why the file cannot be loaded. */
  get loaded(): Promise<Declarations> {
    return this.#loaded.promise;
  }

  /** Whether the thread no longer accepts calls. */
  get isEnded(): boolean {
    return this.#isEnded || this.#fault !== undefined;
  }

  /** Whether a call of a reconciler ended the thread. */
  get endedByCall(): boolean {
    return this.#endedByCall;
  }

  constructor(ports: ThreadPorts) {
    this.#ports = ports;
    this.#worker = ports.start();
    const { load = LOAD } = ports.limits;
    const late = setTimeout(() => this.#kill(new ThreadFault(`is not loaded after ${load / 1000} s`)), load);
    const ended = Promise.withResolvers<Error | undefined>();
    this.ended = ended.promise;
    this.#worker.on('message', (message: FromWorker) => {
      this.#receive(message, () => clearTimeout(late)).catch((error: unknown) => this.#kill(this.#said(error)));
    });
    this.#worker.on('error', (error: unknown) => (this.#fault ??= this.#said(error)));
    this.#worker.on('exit', (code) => {
      clearTimeout(late);
      this.#fault ??= this.#isClosed ? undefined : new ThreadFault(`ended itself with code ${code}`);
      const why = this.#fault ?? new Error('is closed');
      this.#isEnded = true;
      this.#loaded.reject(why);
      this.#rejectAll(why);
      ended.resolve(this.#fault);
    });
    // An idle thread does not keep the process running, but a call does, through its time-out. A listener added later would undo `unref`.
    this.#worker.unref();
    this.loaded.catch(() => undefined); // rejections reach callers via `loaded` and `call`
  }

  /**
   * Calls a reconciler's function. Rejects with its error. Rejects with the fault of the thread if this call ended the thread, or with
   * Interrupted if another call may have ended it.
   */
  async reconcile({ name, request, object }: ThreadCall, options: CallOptions): Promise<Result> {
    const found = await object();
    const { timeout = this.#ports.limits.timeout } = options;
    const key = keyOf(request);
    const late = `${name} was not done after ${timeout} ms with ${key}; ${this.#ports.settings.timeout} gives it more time`;
    return (await this.#call({ what: 'reconcile', name, request, object: found }, { ...options, late, key })) as Result;
  }

  /** Calls a webhook. Rejects with its error. */
  async webhook(name: string, body: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    const { timeout = this.#ports.limits.timeout } = options;
    const late = `${name} was not done after ${timeout} ms`;
    return (await this.#call({ what: 'webhook', name, body }, { ...options, late })) as Uint8Array;
  }

  /** Runs a call. Aborts the function's signal after `timeout`, or when `signal` aborts. Ends the thread if the function does not stop. */
  #call(
    call: Call,
    { timeout = this.#ports.limits.timeout, signal = NEVER, log, late, key }: CallOptions & BoundCall,
  ): Promise<Result | Uint8Array> {
    const ended = this.#fault ?? (this.#isEnded ? new Error('is closed') : undefined);
    if (ended !== undefined) return Promise.reject(key === undefined ? ended : notBegun(ended));
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<Result | Uint8Array>();
    this.#calls.set(id, { resolve, reject, log, key, within: AsyncLocalStorage.snapshot() });
    let dying: NodeJS.Timeout | undefined;
    const stop = (why: Error, isOver: boolean): void => {
      this.#post({ type: 'abort', id });
      dying ??= setTimeout(() => this.#stop(id, why, isOver), this.#ports.grace ?? GRACE);
    };
    const bound = setTimeout(() => stop(new TimedOut(late), true), timeout);
    this.#post({ type: 'call', id, call });
    const given = (): void => stop(new TimedOut(`${call.name} did not end when it was told to`), false);
    const listener = onAbort(signal, given);
    return promise.finally(() => {
      clearTimeout(bound);
      clearTimeout(dying);
      listener[Symbol.dispose]();
    });
  }

  /** Ends the thread because an aborted call did not end. If the thread did not acknowledge the abort, another call may be blocking it. */
  #stop(id: number, why: Error, isOver: boolean): void {
    if (this.#calls.size === 1 || (isOver && this.#deaf.has(id))) this.#culprit ??= id;
    this.#isHeld = this.#culprit === undefined && isOver;
    this.#kill(this.#isHeld ? new ThreadFault(this.#heldText()) : why);
  }

  #heldText(): string {
    const keys = [...this.#calls.values()].flatMap(({ key }) => key ?? []);
    const named = keys.slice(0, NAMED).join(', ');
    return `a call keeps the thread from all others, and the thread ends; each of ${named}${keys.length > NAMED ? ', …' : ''} runs again alone`;
  }

  /**
   * Rejects all calls. The call that ended the thread gets the thread's error. Other reconciler calls are retried, and all remaining calls
   * get the same error.
   */
  #rejectAll(why: Error): void {
    const all = [...this.#calls];
    this.#calls.clear();
    const culprit = this.#culprit ?? (all.length === 1 ? all[0]?.[0] : undefined);
    this.#endedByCall = this.#fault !== undefined && all.some(([, { key }]) => key !== undefined);
    const isSuspect = culprit === undefined && (this.#isHeld || !(this.#fault instanceof TimedOut));
    for (const [id, { key, reject }] of all)
      reject(id === culprit || key === undefined ? why : new Interrupted(messageOfError(why), { isSuspect }));
  }

  /**
   * Calls an API and resolves with the head of its response, whose body streams. Rejects with its error. The thread ends if no head arrives
   * within the time limit. After the head, the response continues until its reader stops or `signal` aborts. When the thread is closed,
   * watches end and all other responses are cut off.
   */
  async stream(
    call: Extract<Call, { what: 'api' }>,
    { signal = NEVER, log, timeout }: CallOptions,
  ): Promise<ApiResponse> {
    if (this.#fault !== undefined) throw this.#fault;
    signal.throwIfAborted(); // the signal aborts only once, so a watch would outlast its client
    const id = this.#next++;
    const answer = new StreamedAnswer({
      more: () => this.#post({ type: 'more', id }),
      abort: () => this.#post({ type: 'abort', id }),
    });
    this.#answers.set(id, answer);
    const reject = (error: Error): void => {
      if (!this.#isReplaced) answer.fail(error);
      else if (call.info.verb === 'watch' && answer.isBegun)
        answer.end(); // the client resumes the watch
      else answer.fail(serviceUnavailable(`${call.name} is loaded again`, 1));
    };
    this.#calls.set(id, { log, within: AsyncLocalStorage.snapshot(), resolve: () => answer.end(), reject });
    const limit = timeout ?? this.#ports.limits.timeout;
    const late = setTimeout(() => this.#kill(new ThreadFault(`${call.name} did not answer after ${limit} ms`)), limit);
    const listener = onAbort(signal, () => answer.stop());
    void answer.ended.finally(() => {
      listener[Symbol.dispose]();
      this.#answers.delete(id);
    });
    this.#post({ type: 'call', id, call });
    return answer.head.finally(() => clearTimeout(late));
  }

  /**
   * Serves a session with an API. Resolves when the function has returned. Rejects with its error, or with SessionEnd if this thread is
   * closed. The thread ends if the function does not switch protocols within the time limit. After the switch, the session continues until
   * either side ends it.
   */
  async connect(
    call: Extract<Call, { what: 'connect' }>,
    link: SessionLink,
    limit = this.#ports.limits.timeout,
  ): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    const id = this.#next++;
    const late = setTimeout(() => this.#kill(new ThreadFault(`${call.name} did not answer after ${limit} ms`)), limit);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#calls.set(id, { log: undefined, within: AsyncLocalStorage.snapshot(), resolve, reject });
    this.#sessions.set(id, new ThreadSession(link, { opened: () => clearTimeout(late), post: (m) => this.#post(m) }));
    this.#post({ type: 'call', id, call });
    using _listener = onAbort(link.signal, () => {
      clearTimeout(late);
      this.#post({ type: 'abort', id });
    });
    try {
      await promise;
    } catch (error) {
      throw this.#isClosed ? new SessionEnd('function is loaded again') : error;
    } finally {
      clearTimeout(late);
      this.#sessions.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#terminate();
  }

  /** Terminates the worker once. Each call of the worker's own `terminate` would add a listener that stays until the thread has ended. */
  #terminate(): Promise<unknown> {
    this.#terminated ??= this.#worker.terminate();
    return this.#terminated;
  }

  /** Whether the thread was closed without an error, because its file was saved again or the server is shutting down. */
  get #isReplaced(): boolean {
    return this.#isClosed && this.#fault === undefined;
  }

  #kill(why: Error): void {
    if (this.#fault !== undefined) return; // it is already ending
    this.#fault = why;
    void this.#terminate();
  }

  #said(error: unknown): Error {
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (isMemory)
      return new ThreadFault(
        `took more than ${this.#ports.limits.memory} MiB of memory; ${this.#ports.settings.memory} gives it more`,
      );
    return new ThreadFault(
      error instanceof Error ? `${faultPlace(error)}${messageOfError(error).split('\n')[0]}` : String(error),
    );
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Handles a message. A file can send anything, and an invalid message ends its thread. */
  async #receive(message: FromWorker, loaded: () => void): Promise<void> {
    switch (message.type) {
      case 'loaded':
        loaded();
        return this.#loaded.resolve(declarationsOf(message));
      case 'log':
        return this.#logOf(message.call)[message.level](message.message, message.fields);
      case 'request':
        return this.#post({ type: 'response', id: message.id, response: await this.#answer(message) });
      case 'head':
      case 'chunk':
        return this.#stream(message);
      case 'open':
      case 'receive':
      case 'send':
        return this.#sessions.get(message.id)?.answer(message);
      case 'aborting':
        this.#deaf.add(message.id);
        return;
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
    this.#deaf.delete(message.id);
  }

  #stream(message: Extract<FromWorker, { type: 'head' | 'chunk' }>): void {
    const answer = this.#answers.get(message.id);
    if (message.type === 'head') answer?.begin(message);
    else answer?.take(message.bytes);
  }

  #logOf(call: number | undefined): Logger {
    return (call === undefined ? undefined : this.#calls.get(call)?.log) ?? this.#ports.log;
  }

  /** Handles an API request of the file. The file has only the permissions that it declares. */
  async #answer({ request: { query, body, ...request }, as, call }: WorkerRequest): Promise<WireResponse> {
    const { reconcilers } = await this.loaded;
    if (reconcilers.every(({ name }) => name !== as)) throw new TypeError(`there is no reconciler ${as}`);
    const given = { ...request, query: new URLSearchParams(query), body: async () => body, signal: () => NEVER };
    const send = (): Promise<ApiResponse> => this.#ports.handle(given, as);
    const asking = call === undefined ? undefined : this.#calls.get(call);
    const { status, headers, body: answered } = await (asking === undefined ? send() : asking.within(send));
    return { status, headers, body: await whole(answered) };
  }
}

/** The error of a call that the thread never received, because it had already ended. */
const notBegun = (fault: Error): Error => new Interrupted(messageOfError(fault));

/** The error with the stack from the other thread. */
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

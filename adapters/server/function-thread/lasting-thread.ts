import type { ThreadCall } from '#lib/client/controller/in-thread.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { ThreadFault } from '#lib/client/controller/thread-end.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { CallOptions, FunctionThread } from './function-thread.ts';

/** Milliseconds before a thread is started again, and at most; who lived as long had recovered. */
const FIRST_BACKOFF = 100;
const MAX_BACKOFF = 30_000;

/** The ways of a LastingThread to begin and to tell. */
export interface LastingThreadPorts {
  /** The name of its file. */
  readonly file: string;
  readonly clock: Clock;
  start(): FunctionThread;
  /** Tells that it ended by itself, and why. */
  ended(why: string): Promise<void>;
}

/** A thread of functions that is started again when it ends by itself, later each time. */
export class LastingThread {
  readonly #ports: LastingThreadPorts;
  readonly #closing = new AbortController();
  #thread: FunctionThread;
  #began = 0;
  /** How often in a row it ended. */
  #failures = 0;
  /** Why it does not run now. */
  #fault: string | undefined;
  /** The restart that is under way. */
  #restarted: Promise<void> = Promise.resolve();

  /** `thread` is loaded. */
  constructor(thread: FunctionThread, ports: LastingThreadPorts) {
    this.#thread = thread;
    this.#ports = ports;
    this.#follow();
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  /** As FunctionThread's. Waits for a restart that is under way. Throws if that failed. */
  async reconcile(call: ThreadCall, options: CallOptions): Promise<Result> {
    if (this.#fault !== undefined) await this.#restarted;
    if (this.#closing.signal.aborted) throw new Error('the thread is closed');
    if (this.#fault !== undefined) throw new Error(`not running: ${this.#fault}`);
    return this.#thread.reconcile(call, options);
  }

  /** As FunctionThread's. Throws if the thread does not run now. */
  webhook(...given: Parameters<FunctionThread['webhook']>): ReturnType<FunctionThread['webhook']> {
    if (this.#fault !== undefined) throw new ThreadFault(`not running: ${this.#fault}`);
    return this.#thread.webhook(...given);
  }

  /** As FunctionThread's. Throws if the thread does not run now. */
  stream(...given: Parameters<FunctionThread['stream']>): ReturnType<FunctionThread['stream']> {
    if (this.#fault !== undefined) throw new ThreadFault(`not running: ${this.#fault}`);
    return this.#thread.stream(...given);
  }

  /** As FunctionThread's. Throws if the thread does not run now. */
  connect(...given: Parameters<FunctionThread['connect']>): ReturnType<FunctionThread['connect']> {
    if (this.#fault !== undefined) throw new ThreadFault(`not running: ${this.#fault}`);
    return this.#thread.connect(...given);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#thread.close();
  }

  #follow(): void {
    const thread = this.#thread;
    this.#began = this.#ports.clock.monotonic();
    void thread.ended.then((fault) => {
      if (this.#closing.signal.aborted) return;
      this.#fault = `${this.#ports.file}: ${messageOfError(fault ?? 'ended')}`;
      const told = this.#ports.ended(this.#fault);
      // A call that ended it does not come back to it, so that nothing is gained by waiting.
      this.#restarted = thread.endedByCall ? this.#start() : told.then(() => this.#startLater());
    });
  }

  async #startLater(): Promise<void> {
    const { clock } = this.#ports;
    if (clock.monotonic() - this.#began > MAX_BACKOFF) this.#failures = 0;
    const wait = Math.min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** this.#failures++);
    await clock.sleep(wait, this.#closing.signal);
    await this.#start();
  }

  async #start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#thread = this.#ports.start();
    this.#follow();
    await this.#thread.loaded.then(
      () => (this.#fault = undefined),
      () => undefined, // it ends, and is followed
    );
  }
}

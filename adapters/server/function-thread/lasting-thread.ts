import type { ThreadCall } from '#lib/client/controller/in-thread.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { ThreadFault } from '#lib/client/controller/thread-end.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import type { CallOptions, FunctionThread } from './function-thread.ts';

/** The delay in ms before a restart. A thread that ran for longer than the cap counts as recovered. */
const BACKOFF = { duration: 100, factor: 2, cap: 30_000 };

/** How a LastingThread starts threads and reports their ends. */
export interface LastingThreadPorts {
  /** The file's name. */
  readonly file: string;
  readonly clock: Clock;
  start(): FunctionThread;
  /** Reports an unexpected end and its reason. */
  ended(why: string): Promise<void>;
}

/** A thread of functions that restarts when it ends unexpectedly, with a growing back-off. */
export class LastingThread {
  readonly #ports: LastingThreadPorts;
  readonly #closing = new AbortController();
  #thread: FunctionThread;
  #began = 0;
  /** The number of consecutive unexpected ends. */
  #failures = 0;
  /** The reason why the thread does not run. Undefined while it runs. */
  #fault: string | undefined;
  /** Resolves when the current restart is done. */
  #restarted: Promise<void> = Promise.resolve();

  /** `thread` has already loaded its file. */
  constructor(thread: FunctionThread, ports: LastingThreadPorts) {
    this.#thread = thread;
    this.#ports = ports;
    this.#follow();
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  /** Like FunctionThread's method, but waits for a restart in progress. Throws if the restart failed. */
  async reconcile(call: ThreadCall, options: CallOptions): Promise<Result> {
    if (this.#fault !== undefined) await this.#restarted;
    if (this.#closing.signal.aborted) throw new Error('the thread is closed');
    if (this.#fault !== undefined) throw new Error(`not running: ${this.#fault}`);
    return this.#thread.reconcile(call, options);
  }

  /** Like FunctionThread's method. Throws if the thread is not running. */
  webhook(...given: Parameters<FunctionThread['webhook']>): ReturnType<FunctionThread['webhook']> {
    if (this.#fault !== undefined) throw new ThreadFault(`not running: ${this.#fault}`);
    return this.#thread.webhook(...given);
  }

  /** Like FunctionThread's method. Throws if the thread is not running. */
  stream(...given: Parameters<FunctionThread['stream']>): ReturnType<FunctionThread['stream']> {
    if (this.#fault !== undefined) throw new ThreadFault(`not running: ${this.#fault}`);
    return this.#thread.stream(...given);
  }

  /** Like FunctionThread's method. Throws if the thread is not running. */
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
      // If a call ended the thread, it restarts at once. That call does not run in it again, so a delay has no benefit.
      this.#restarted = thread.endedByCall ? this.#start() : told.then(() => this.#startLater());
    });
  }

  async #startLater(): Promise<void> {
    const { clock } = this.#ports;
    if (clock.monotonic() - this.#began > BACKOFF.cap) this.#failures = 0;
    await clock.sleep(delayAfter(++this.#failures, BACKOFF), this.#closing.signal);
    await this.#start();
  }

  async #start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#thread = this.#ports.start();
    this.#follow();
    await this.#thread.loaded.then(
      () => (this.#fault = undefined),
      () => undefined, // #follow handles its end
    );
  }
}

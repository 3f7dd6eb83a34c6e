import type { CallInThread, ThreadCall, ThreadCallOptions } from '#lib/client/controller/in-thread.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { Interrupted, ThreadFault } from '#lib/client/controller/thread-end.ts';
import { keyOf } from '#lib/machinery/namespaced-name.ts';
import type { FunctionThread } from './function-thread.ts';
import type { LastingThread } from './lasting-thread.ts';

/** The threads that run reconciler calls. */
export interface FunctionThreadsPorts {
  /** The thread that calls share by default. */
  readonly shared: Pick<LastingThread, 'reconcile'>;
  /** Starts another thread with the same functions. */
  start(): FunctionThread;
  /** Time-out in ms of a function's calls. Default: the thread's limit. */
  timeoutOf(name: string): number | undefined;
}

/**
 * Runs reconciler calls in threads. By default they share one thread. When it ends, each call that may have ended it is a suspect. Suspects
 * run one at a time in a separate thread until they succeed. So only the call that ended the thread fails.
 */
export class FunctionThreads {
  readonly #ports: FunctionThreadsPorts;
  readonly #suspects = new Set<string>();
  readonly #closing = new AbortController();
  /** Resolves when the last queued suspect has run. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #alone: FunctionThread | undefined;

  constructor(ports: FunctionThreadsPorts) {
    this.#ports = ports;
  }

  readonly reconcile: CallInThread = async (call, options) => {
    const key = `${call.name} ${keyOf(call.request)}`;
    try {
      const result = await (this.#suspects.has(key) ? this.#afterOthers(call, options) : this.#together(call, options));
      this.#suspects.delete(key);
      return result;
    } catch (error) {
      if (isOfThread(error)) this.#suspects.add(key);
      else if (!(error instanceof Interrupted)) this.#suspects.delete(key);
      throw error;
    }
  };

  /** Closes the thread of suspects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#alone?.close();
  }

  #together(call: ThreadCall, options: ThreadCallOptions): Promise<Result> {
    return this.#ports.shared.reconcile(call, { ...options, timeout: this.#ports.timeoutOf(call.name) });
  }

  /** Runs the call after all earlier suspects. It does not wait longer than its caller. */
  #afterOthers(call: ThreadCall, options: ThreadCallOptions): Promise<Result> {
    this.#waiting++;
    const result = this.#last.then(() => this.#runAlone(call, options));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #runAlone(call: ThreadCall, { signal, log }: ThreadCallOptions): Promise<Result> {
    try {
      if (this.#closing.signal.aborted) throw new Error('the thread is closed');
      if (signal.aborted) throw new Interrupted('the call was not begun in time');
      const thread = (this.#alone ??= this.#ports.start());
      await thread.loaded;
      return await thread.reconcile(call, { signal, log, timeout: this.#ports.timeoutOf(call.name) });
    } finally {
      if (--this.#waiting === 0 || this.#alone?.isEnded === true) {
        void this.#alone?.close();
        this.#alone = undefined;
      }
    }
  }
}

const isOfThread = (error: unknown): boolean =>
  error instanceof ThreadFault || (error instanceof Interrupted && error.isSuspect);

import { systemClock } from '#adapters/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type FunctionThread, threadFault } from './function-thread.ts';

/** Milliseconds before a thread is started again, and at most; who lived as long had recovered. */
const FIRST_BACKOFF = 100;
const MAX_BACKOFF = 30_000;

/** The ways of a LastingThread to begin and to tell. */
export interface LastingThreadPorts {
  /** The name of its file. */
  readonly file: string;
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

  /** `thread` is loaded. */
  constructor(thread: FunctionThread, ports: LastingThreadPorts) {
    this.#thread = thread;
    this.#ports = ports;
    this.#follow();
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  /** As FunctionThread's. Throws where the thread does not run now. */
  call(...given: Parameters<FunctionThread['call']>): ReturnType<FunctionThread['call']> {
    if (this.#fault !== undefined) throw threadFault(`not running: ${this.#fault}`);
    return this.#thread.call(...given);
  }

  /** As FunctionThread's. Throws where the thread does not run now. */
  stream(...given: Parameters<FunctionThread['stream']>): ReturnType<FunctionThread['stream']> {
    if (this.#fault !== undefined) throw threadFault(`not running: ${this.#fault}`);
    return this.#thread.stream(...given);
  }

  /** As FunctionThread's. Throws where the thread does not run now. */
  connect(...given: Parameters<FunctionThread['connect']>): ReturnType<FunctionThread['connect']> {
    if (this.#fault !== undefined) throw threadFault(`not running: ${this.#fault}`);
    return this.#thread.connect(...given);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#thread.close();
  }

  #follow(): void {
    this.#began = systemClock.monotonic();
    void this.#thread.ended.then(async (fault) => {
      if (this.#closing.signal.aborted) return;
      this.#fault = `${this.#ports.file}: ${messageOfError(fault ?? 'ended')}`;
      await this.#ports.ended(this.#fault);
      await this.#restart();
    });
  }

  async #restart(): Promise<void> {
    if (systemClock.monotonic() - this.#began > MAX_BACKOFF) this.#failures = 0;
    const wait = Math.min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** this.#failures++);
    await systemClock.sleep(wait, this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    this.#thread = this.#ports.start();
    this.#follow();
    await this.#thread.loaded.then(
      () => (this.#fault = undefined),
      () => undefined, // it ends, and is followed
    );
  }
}

import type { Clock } from '#lib/machinery/clock.ts';
import type { Reconciler } from './reconciler.ts';

export interface WorkQueueOptions {
  readonly reconciler: Reconciler;
  readonly clock: Clock;
  /** Keys that are worked on at once; one key never twice. */
  readonly workers: number;
  onError(key: string, error: unknown): void;
}

/** Milliseconds before the second attempt, and at most: upstream's rate limiter for controllers. */
const FIRST_BACKOFF = 5;
const MAX_BACKOFF = 60_000;

/** Upstream's rate-limited workqueue with its workers: coalesces keys, runs each alone, tries failures again. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** When keys that wait for their time are due; of several times of a key the first. */
  readonly #due = new Map<string, number>();
  readonly #ending = new AbortController();
  #started = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting.add(key);
    this.#run();
  }

  addAfter(key: string, milliseconds: number): void {
    const { clock } = this.#options;
    const due = clock.monotonic() + milliseconds;
    if ((this.#due.get(key) ?? Infinity) <= due) return;
    this.#due.set(key, due);
    void clock.sleep(milliseconds, this.#ending.signal).then(() => {
      if (this.#due.get(key) !== due) return;
      this.#due.delete(key);
      this.add(key);
    });
  }

  /** Begins to work; until then keys only gather, so that a reconciler knows the world before it acts. */
  start(): void {
    this.#started = true;
    this.#run();
  }

  #run(): void {
    if (!this.#started) return;
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.workers) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#work(key);
    }
  }

  async #work(key: string): Promise<void> {
    const { reconciler, onError } = this.#options;
    try {
      const result = await reconciler.reconcile(key);
      this.#failures.delete(key);
      if (result !== undefined) this.addAfter(key, result.requeueAfter);
    } catch (error) {
      onError(key, error);
      this.#retry(key);
    }
    this.#running.delete(key);
    if (this.#running.size === 0) this.#idle?.resolve();
    if (!this.#ending.signal.aborted) this.#run();
  }

  #retry(key: string): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.addAfter(key, Math.min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1)));
  }

  /** Takes no more work, and waits for what runs. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#waiting.clear();
    if (this.#running.size === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }
}

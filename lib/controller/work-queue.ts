import type { Clock } from '#lib/machinery/clock.ts';
import { nextOf, type Outcome } from './attempt.ts';
import { PROCESS_ENDS, type Reconciler } from './reconciler.ts';

export interface WorkQueueOptions {
  readonly reconciler: Reconciler;
  readonly clock: Clock;
  /** Keys that are worked on at once; one key never twice. */
  readonly workers: number;
  /** Numbers from 0 to below 1. */
  random(): number;
  onError(key: string, error: unknown): void;
}

/** Milliseconds between two attempts at most: in one process nobody pays for one. */
const MAX_BACKOFF = 60_000;

/**
 * The queue of one reconciler in this process, with its workers: coalesces keys, runs each alone, tries failures again for as
 * long as the process lives. What follows an attempt is the same rule that queues in the cloud keep.
 */
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
    const attempt = (this.#failures.get(key) ?? 0) + 1;
    const outcome = await this.#outcome(key);
    const { random } = this.#options;
    const next = nextOf(outcome, attempt, { maxAttempts: Infinity, maxBackoff: MAX_BACKOFF, random });
    if (next.action === 'again' && next.attempt > 1) this.#failures.set(key, attempt);
    else this.#failures.delete(key);
    if (next.action === 'again') this.addAfter(key, next.after);
    this.#running.delete(key);
    if (this.#running.size === 0) this.#idle?.resolve();
    if (!this.#ending.signal.aborted) this.#run();
  }

  async #outcome(key: string): Promise<Outcome> {
    const { reconciler, onError } = this.#options;
    try {
      const result = await reconciler.reconcile(key, this.#ending.signal);
      if (result?.terminal !== undefined) onError(key, new Error(result.terminal));
      return { result };
    } catch (error) {
      onError(key, error);
      return { error };
    }
  }

  /** Takes no more work, and waits for what runs. */
  async close(): Promise<void> {
    this.#ending.abort(PROCESS_ENDS);
    this.#waiting.clear();
    if (this.#running.size === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }
}

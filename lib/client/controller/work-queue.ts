import type { Clock } from '#lib/machinery/clock.ts';
import { nextOf, type Outcome } from './attempt.ts';
import { type Observe, unobserved, type Woken } from './observe.ts';
import type { QueueMeter, QueueMetrics, QueueState } from './queue-metrics.ts';
import { PROCESS_ENDS, type Reconciler } from './reconciler.ts';

/** The ports and options of a work queue. */
export interface WorkQueueOptions {
  readonly reconciler: Reconciler;
  readonly clock: Clock;
  /** The number of keys processed in parallel. The same key is never processed twice at once. */
  readonly workers: number;
  /** Returns numbers from 0 to below 1. */
  random(): number;
  onError(key: string, error: unknown): void;
  /** Observes every attempt. */
  readonly observe?: Observe;
  /** Records the number of waiting keys and their waiting times. Default none. */
  readonly metrics?: QueueMetrics;
}

interface Waiting {
  readonly woken: Woken;
  /** The start time, monotonic. */
  readonly since: number;
}

/** The maximum delay in ms between two attempts. It is short because an attempt in this process has no extra cost. */
const MAX_BACKOFF = 60_000;

/**
 * The pause of a key between two spaced reconciliations, as a multiple of the last duration, and its maximum in ms. Slow keys therefore run
 * less often.
 */
const SHARE = 3;
const MAX_REST = 1000;

/**
 * The queue of one reconciler in this process, with its workers. It coalesces keys, runs each key at most once at a time, and retries
 * failures for as long as the process lives. It shares the retry rule with the queues in the cloud.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #meter: QueueMeter | undefined;
  readonly #waiting = new Map<string, Waiting>();
  /** The running keys and their start times. */
  readonly #running = new Map<string, number>();
  /** Keys that must not run again yet (`Reconciler.apart`). */
  readonly #resting = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** Keys without further retries. Only a change queues them again. */
  readonly #stopped = new Set<string>();
  /** The due times of delayed keys. If a key has several, the earliest applies. */
  readonly #due = new Map<string, number>();
  readonly #ending = new AbortController();
  #started = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    const state = (): QueueState => ({ depth: this.#waiting.size, running: [...this.#running.values()] });
    this.#meter = options.metrics?.of(options.reconciler.name, state);
  }

  add(key: string, woken: Woken = {}): void {
    if (this.#ending.signal.aborted) return;
    const before = this.#waiting.get(key);
    if (before === undefined) this.#meter?.added();
    const since = before?.since ?? this.#options.clock.monotonic();
    this.#waiting.set(key, { woken: { ...before?.woken, ...woken }, since });
    this.#run();
  }

  /** Queues the keys whose retries ended or that wait after a failure. Returns the number of keys. */
  redrive(): number {
    const keys = this.#stopped.union(this.#failures);
    for (const key of keys) this.add(key);
    return keys.size;
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

  /** Starts the workers. Until then, keys only accumulate, so that a reconciler has the full state before it acts. */
  start(): void {
    this.#started = true;
    this.#run();
  }

  #run(): void {
    if (!this.#started) return;
    for (const [key, { woken, since }] of this.#waiting) {
      if (this.#running.size >= this.#options.workers) return;
      if (this.#running.has(key) || this.#resting.has(key)) continue;
      this.#waiting.delete(key);
      this.#meter?.begun(since);
      void this.#work(key, woken);
    }
  }

  async #work(key: string, woken: Woken): Promise<void> {
    const attempt = (this.#failures.get(key) ?? 0) + 1;
    const { random, clock } = this.#options;
    const since = clock.monotonic();
    this.#running.set(key, since);
    const outcome = await this.#outcome(key, attempt, woken);
    this.#meter?.ended(since);
    const next = nextOf(outcome, attempt, { maxAttempts: Infinity, maxBackoff: MAX_BACKOFF, random });
    if (next.action === 'again' && next.attempt > 1) {
      this.#failures.set(key, attempt);
      this.#meter?.retried();
    } else this.#failures.delete(key);
    if (next.action === 'stop') this.#stopped.add(key);
    else this.#stopped.delete(key);
    if (next.action === 'again') this.addAfter(key, next.after);
    this.#running.delete(key);
    this.#rest(key, clock.monotonic() - since);
    if (this.#running.size === 0) this.#idle?.resolve();
    if (!this.#ending.signal.aborted) this.#run();
  }

  #rest(key: string, took: number): void {
    const { clock, reconciler } = this.#options;
    if (reconciler.apart === undefined) return;
    this.#resting.add(key);
    void clock.sleep(Math.max(reconciler.apart, Math.min(took * SHARE, MAX_REST)), this.#ending.signal).then(() => {
      this.#resting.delete(key);
      this.#run();
    });
  }

  async #outcome(key: string, attempt: number, woken: Woken): Promise<Outcome> {
    const { reconciler, onError, observe = unobserved } = this.#options;
    const of = { reconciler: reconciler.name, key, attempt, ...woken };
    try {
      const result = await observe(of, (notes) => reconciler.reconcile(key, this.#ending.signal, notes));
      if (result?.terminal !== undefined) onError(key, new Error(result.terminal));
      return { result };
    } catch (error) {
      onError(key, error);
      return { error };
    }
  }

  /** Accepts no more work, and waits for running work. */
  async close(): Promise<void> {
    this.#ending.abort(PROCESS_ENDS);
    this.#waiting.clear();
    if (this.#running.size === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }
}

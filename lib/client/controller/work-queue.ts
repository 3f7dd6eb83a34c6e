import type { Clock } from '#lib/machinery/clock.ts';
import { nextOf, type Outcome } from './attempt.ts';
import { type Observe, unobserved, type Woken } from './observe.ts';
import type { QueueMeter, QueueMetrics, QueueState } from './queue-metrics.ts';
import { PROCESS_ENDS, type Reconciler } from './reconciler.ts';

/** The ports and options of a work queue. */
export interface WorkQueueOptions {
  readonly reconciler: Reconciler;
  readonly clock: Clock;
  /** Keys that are worked on at once; one key never twice. */
  readonly workers: number;
  /** Numbers from 0 to below 1. */
  random(): number;
  onError(key: string, error: unknown): void;
  /** Sees every attempt. */
  readonly observe?: Observe;
  /** Are told what waits, and how long. Default nobody. */
  readonly metrics?: QueueMetrics;
}

interface Waiting {
  readonly woken: Woken;
  /** Monotonic. */
  readonly since: number;
}

/** Milliseconds between two attempts at most: in one process nobody pays for one. */
const MAX_BACKOFF = 60_000;

/** A key whose turns are apart rests so many times as long as its turn took, so that who is slow has fewer; in milliseconds at most. */
const SHARE = 3;
const MAX_REST = 1000;

/**
 * The queue of one reconciler in this process, with its workers: coalesces keys, runs each alone, tries failures again for as
 * long as the process lives. What follows an attempt is the same rule that queues in the cloud keep.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #meter: QueueMeter | undefined;
  readonly #waiting = new Map<string, Waiting>();
  /** Keys, and since when each is worked on. */
  readonly #running = new Map<string, number>();
  /** Keys whose next turn is not to come yet (`Reconciler.apart`). */
  readonly #resting = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** Keys that were given up: only a change brings them again. */
  readonly #stopped = new Set<string>();
  /** When keys that wait for their time are due; of several times of a key the first. */
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

  /** Works at once on what was given up, and on what waits after a failure. How many keys that are. */
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

  /** Begins to work; until then keys only gather, so that a reconciler knows the world before it acts. */
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

  /** Takes no more work, and waits for what runs. */
  async close(): Promise<void> {
    this.#ending.abort(PROCESS_ENDS);
    this.#waiting.clear();
    if (this.#running.size === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }
}

import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { Observe } from './observe.ts';
import type { Result } from './reconciler.ts';

/** The buckets in seconds: controller-runtime's. */
const BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const PREFIX = 'controller_runtime';
const labels = ['controller'];
const value = (type: 'counter' | 'gauge', name: string, help: string, more: readonly string[] = []): Value =>
  new Value({ type, name: `${PREFIX}_${name}`, help, labels: [...labels, ...more] });

/** Metrics of reconcile attempts, with controller-runtime's names. */
export class AttemptMetrics implements Collector {
  readonly #clock: Clock;
  readonly #total = value('counter', 'reconcile_total', 'Attempts, by how they ended.', ['result']);
  readonly #errors = value('counter', 'reconcile_errors_total', 'Attempts that failed.');
  readonly #terminal = value('counter', 'terminal_reconcile_errors_total', 'Attempts that failed for good.');
  readonly #active = value('gauge', 'active_workers', 'Attempts under way.');
  readonly #most = value('gauge', 'max_concurrent_reconciles', 'Attempts that may be under way at once.');
  readonly #seconds = new Histogram({
    name: `${PREFIX}_reconcile_time_seconds`,
    help: 'Seconds that attempts took.',
    labels,
    buckets: BUCKETS,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Registers a reconciler, so that it is reported even before its first attempt. `workers` is its maximum number of concurrent attempts.
   */
  add(name: string, workers: number): void {
    this.#most.set(workers, [name]);
    for (const counter of [this.#errors, this.#terminal, this.#active]) counter.add(0, [name]);
    for (const result of ['success', 'requeue_after', 'error']) this.#total.add(0, [name, result]);
  }

  readonly observe: Observe = async ({ reconciler: name }, run) => {
    const since = this.#clock.monotonic();
    this.#active.add(1, [name]);
    try {
      const result = await run();
      this.#ended(name, result);
      return result;
    } catch (error) {
      this.#failed(name);
      throw error;
    } finally {
      this.#active.add(-1, [name]);
      this.#seconds.observe((this.#clock.monotonic() - since) / 1000, [name]);
    }
  };

  #ended(name: string, result: Result): void {
    if (result === undefined) this.#total.add(1, [name, 'success']);
    else if (result.terminal === undefined) this.#total.add(1, [name, 'requeue_after']);
    else {
      this.#terminal.add(1, [name]);
      this.#failed(name);
    }
  }

  #failed(name: string): void {
    this.#total.add(1, [name, 'error']);
    this.#errors.add(1, [name]);
  }

  collect(): readonly Family[] {
    const own = [this.#total, this.#errors, this.#terminal, this.#active, this.#most, this.#seconds];
    return own.flatMap((one) => one.collect());
  }
}

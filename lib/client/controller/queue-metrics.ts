import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

const named = (name: string): string => `workqueue_${name}`;
const labels = ['name'];
const buckets = Array.from({ length: 10 }, (_, i) => 10 ** (i - 8));

/** The state of a queue: the number of waiting keys, and the start times of running ones. */
export interface QueueState {
  readonly depth: number;
  readonly running: readonly number[];
}

/** The metrics of work queues, by reconciler, with upstream's names. Times are monotonic. */
export class QueueMetrics implements Collector {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #queues = new Map<string, () => QueueState>();
  readonly #adds = new Value({ type: 'counter', name: named('adds_total'), help: 'Keys that were queued.', labels });
  readonly #retries = new Value({
    type: 'counter',
    name: named('retries_total'),
    help: 'Failures to try again.',
    labels,
  });
  readonly #depth = new Value({ type: 'gauge', name: named('depth'), help: 'Keys that wait.', labels });
  readonly #waits = new Histogram({
    name: named('queue_duration_seconds'),
    help: 'Seconds that a key waited until it was worked on.',
    labels,
    buckets,
  });
  readonly #works = new Histogram({
    name: named('work_duration_seconds'),
    help: 'Seconds that a key was worked on.',
    labels,
    buckets,
  });
  readonly #unfinished = new Value({
    type: 'gauge',
    name: named('unfinished_work_seconds'),
    help: 'Seconds that keys have been worked on that still are, together.',
    labels,
  });
  readonly #longest = new Value({
    type: 'gauge',
    name: named('longest_running_processor_seconds'),
    help: 'Seconds that the first of them has been worked on.',
    labels,
  });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Adds a queue. It replaces an earlier queue of the same name. */
  of(name: string, state: () => QueueState) {
    const values = [name];
    this.#queues.set(name, state);
    this.#adds.add(0, values);
    this.#retries.add(0, values);
    const seconds = (since: number): number => (this.#clock.monotonic() - since) / 1000;
    return {
      added: (): void => this.#adds.add(1, values),
      retried: (): void => this.#retries.add(1, values),
      begun: (since: number): void => this.#waits.observe(seconds(since), values),
      ended: (since: number): void => this.#works.observe(seconds(since), values),
    };
  }

  collect(): readonly Family[] {
    const now = this.#clock.monotonic();
    for (const [name, state] of this.#queues) {
      const { depth, running } = state();
      const taken = running.map((since) => (now - since) / 1000);
      this.#depth.set(depth, [name]);
      this.#unfinished.set(
        taken.reduce((sum, one) => sum + one, 0),
        [name],
      );
      this.#longest.set(Math.max(0, ...taken), [name]);
    }
    return [this.#adds, this.#retries, this.#depth, this.#waits, this.#works, this.#unfinished, this.#longest].flatMap(
      (metric) => metric.collect(),
    );
  }
}

/** The meter of one queue. */
export type QueueMeter = ReturnType<QueueMetrics['of']>;

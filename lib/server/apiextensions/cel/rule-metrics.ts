import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The durations of compiling the rules of a custom resource's schema, and of evaluating them on a value, under upstream's names. */
export class RuleMetrics implements Collector {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #compilations = new Histogram({
    name: 'apiserver_cel_compilation_duration_seconds',
    help: 'Seconds to compile the rules of one schema.',
    buckets,
  });
  readonly #evaluations = new Histogram({
    name: 'apiserver_cel_evaluation_duration_seconds',
    help: 'Seconds to judge a value by the rules of its schema, and what is in it by theirs.',
    buckets,
  });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  compiling<T>(work: () => T): T {
    return this.#timed(this.#compilations, work);
  }

  evaluating<T>(work: () => T): T {
    return this.#timed(this.#evaluations, work);
  }

  #timed<T>(histogram: Histogram, work: () => T): T {
    const begun = this.#clock.monotonic();
    const done = work();
    histogram.observe((this.#clock.monotonic() - begun) / 1000);
    return done;
  }

  collect(): readonly Family[] {
    return [...this.#compilations.collect(), ...this.#evaluations.collect()];
  }
}

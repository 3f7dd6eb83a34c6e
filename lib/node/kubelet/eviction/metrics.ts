import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

/** The number of evicted pods and the age of statistics, under upstream's metric names. */
export class EvictionMetrics implements Collector {
  readonly #evictions = new Value({
    type: 'counter',
    name: 'kubelet_evictions',
    help: 'Pods evicted by signal.',
    labels: ['eviction_signal'],
  });
  readonly #age = new Histogram({
    name: 'kubelet_eviction_stats_age_seconds',
    help: 'Seconds between the collection of statistics and the eviction that follows from them, by signal.',
    labels: ['eviction_signal'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  /** Counts a pod that was evicted for a signal, or for a limit of local storage. */
  evicted(signal: string): void {
    this.#evictions.add(1, [signal]);
  }

  /** Records the age in milliseconds of the statistics for a signal that causes an eviction. */
  statsAge(signal: string, milliseconds: number): void {
    this.#age.observe(milliseconds / 1000, [signal]);
  }

  collect(): readonly Family[] {
    return [...this.#evictions.collect(), ...this.#age.collect()];
  }
}

import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { PendingPods } from '../backend/queue/scheduling-queue.ts';

const doubling = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first * 2 ** i);
const named = (name: string): string => `scheduler_${name}`;

/** The result of an attempt. */
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

/** The scheduler's metrics, under upstream's names. */
export class SchedulerMetrics implements Collector {
  readonly #attempts = new Value({
    type: 'counter',
    name: named('schedule_attempts_total'),
    help: 'Attempts to place a pod, by how they ended.',
    labels: ['profile', 'result'],
  });
  readonly #durations = new Histogram({
    name: named('scheduling_attempt_duration_seconds'),
    help: 'Seconds of an attempt, binding included.',
    labels: ['profile', 'result'],
    buckets: doubling(0.001, 15),
  });
  readonly #tries = new Histogram({
    name: named('pod_scheduling_attempts'),
    help: 'Attempts until a pod was placed.',
    buckets: [1, 2, 4, 8, 16],
  });
  readonly #sli = new Histogram({
    name: named('pod_scheduling_sli_duration_seconds'),
    help: 'Seconds from when a pod could be tried first until it was placed, by the number of attempts.',
    labels: ['attempts'],
    buckets: doubling(0.01, 20),
  });
  readonly #pending = new Value({
    type: 'gauge',
    name: named('pending_pods'),
    help: 'Pods that wait for a node, by where they wait.',
    labels: ['queue'],
  });
  readonly #counts: () => PendingPods | undefined;

  constructor(counts: () => PendingPods | undefined) {
    this.#counts = counts;
  }

  attempt(profile: string, result: AttemptResult, seconds: number): void {
    this.#attempts.add(1, [profile, result]);
    this.#durations.observe(seconds, [profile, result]);
  }

  /** Records that a pod was placed `seconds` after its first possible attempt. */
  placed(attempts: number, seconds: number): void {
    this.#tries.observe(attempts);
    this.#sli.observe(seconds, [attempts >= 15 ? '15+' : String(attempts)]);
  }

  collect(): readonly Family[] {
    for (const [queue, count] of Object.entries(this.#counts() ?? {})) this.#pending.set(count, [queue]);
    return [this.#attempts, this.#durations, this.#tries, this.#sli, this.#pending].flatMap((one) => one.collect());
  }
}

import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { RoundFlow } from './flow-network.ts';

/** The buckets of solve durations in seconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10];

/** The outcome for a pod in a round: assumed on its node, refused there by the check before binding, or left without a node by the flow. */
export type RoundOutcome = 'placed' | 'refused' | 'unscheduled';

/** Metrics of the flow networks. Firmament logs the same figures for each round. */
export class PoseidonMetrics implements Collector {
  readonly #solves = new Histogram({
    name: 'poseidon_solve_duration_seconds',
    help: 'Seconds that it took to solve the flow network of a round.',
    buckets: SECONDS,
  });
  readonly #size = new Value({
    type: 'gauge',
    name: 'poseidon_network_size',
    help: 'The size of the flow network of the last round, by nodes and arcs.',
    labels: ['of'],
  });
  readonly #pods = new Value({
    type: 'counter',
    name: 'poseidon_pods_total',
    help: 'Pods in rounds, by what became of them. A pod may take part in several rounds.',
    labels: ['outcome'],
  });

  solved({ nodes, arcs }: RoundFlow, seconds: number): void {
    this.#solves.observe(seconds);
    this.#size.set(nodes, ['nodes']);
    this.#size.set(arcs, ['arcs']);
  }

  count(outcome: RoundOutcome): void {
    this.#pods.add(1, [outcome]);
  }

  collect(): readonly Family[] {
    return [this.#solves, this.#size, this.#pods].flatMap((one) => one.collect());
  }
}

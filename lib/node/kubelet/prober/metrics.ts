import type { Family, Sample } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import { type ProbeTarget, probeLabel } from './prober.ts';

const TOTAL = {
  name: 'prober_probe_total',
  help: 'Probes of containers by their result.',
  type: 'counter',
  labels: ['probe_type', 'result', 'container', 'pod', 'namespace', 'pod_uid'],
} as const;
const DURATION = {
  name: 'prober_probe_duration_seconds',
  help: 'Seconds that a probe took which succeeded.',
  labels: ['probe_type', 'container', 'pod', 'namespace'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
} as const;

/** The metrics of one worker. They disappear with it. */
export class ProbeMetrics {
  readonly #total = new Value(TOTAL);
  readonly #duration = new Histogram(DURATION);
  readonly #target: ProbeTarget;

  constructor(target: ProbeTarget) {
    this.#target = target;
  }

  /** Counts a probe and its duration in milliseconds. */
  note(result: 'success' | 'failure', took: number): void {
    const { kind, container, pod } = this.#target;
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const type = probeLabel(kind);
    this.#total.add(1, [type, result === 'success' ? 'successful' : 'failed', container.name, name, namespace, uid]);
    if (result === 'success') this.#duration.observe(took / 1000, [type, container.name, name, namespace]);
  }

  /** The samples for the counter and the histogram. */
  samples(): readonly [total: readonly Sample[], duration: readonly Sample[]] {
    const samplesOf = (families: readonly Family[]): readonly Sample[] => families.flatMap(({ samples }) => samples);
    return [samplesOf(this.#total.collect()), samplesOf(this.#duration.collect())];
  }
}

/** The families of all workers together, for `/metrics/probes`. */
export function probeFamilies(all: readonly ProbeMetrics[]): readonly Family[] {
  const samples = all.map((one) => one.samples());
  return [
    { name: TOTAL.name, help: TOTAL.help, type: 'counter', samples: samples.flatMap(([total]) => total) },
    {
      name: DURATION.name,
      help: DURATION.help,
      type: 'histogram',
      samples: samples.flatMap(([, duration]) => duration),
    },
  ];
}

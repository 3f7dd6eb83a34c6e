import type { Collector, Family, MetricType, Sample } from '#lib/metrics/family.ts';

/** CPU, memory and swap in use by something. Times are milliseconds since 1970; what is not known is absent. */
export interface ResourceUsage {
  readonly cpu?: { readonly time: number; readonly usageCoreNanoSeconds?: number };
  readonly memory?: { readonly time: number; readonly workingSetBytes?: number };
  readonly swap?: { readonly time: number; readonly swapUsageBytes?: number; readonly swapAvailableBytes?: number };
}

/** The usage of a node and its pods (the part of stats/v1alpha1 Summary that `only_cpu_and_memory` leaves). */
export interface CpuAndMemoryStats {
  readonly node: ResourceUsage;
  readonly pods: readonly (ResourceUsage & {
    readonly name: string;
    readonly namespace: string;
    /** `startTime`: milliseconds since 1970, 0 where it is not known. */
    readonly containers: readonly (ResourceUsage & { readonly name: string; readonly startTime: number })[];
  })[];
}

type Labels = Sample['labels'];

/** Gathers samples by metric. */
class Samples {
  readonly #families = new Map<string, { type: MetricType; help: string; samples: Sample[] }>();

  add(name: string, labels: Labels, value: number | undefined, more: { help: string; timestamp?: number }): void {
    if (value === undefined) return;
    const { help, ...timestamp } = more;
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    const family = this.#families.get(name) ?? { type, help, samples: [] };
    family.samples.push({ labels, value, ...timestamp });
    this.#families.set(name, family);
  }

  families(): readonly Family[] {
    return [...this.#families].map(([name, family]) => ({ name, ...family }));
  }
}

/** The metrics of `/metrics/resource`, as metrics-server reads them (upstream: resourceMetricsCollector). */
export const resourceMetrics = (stats: () => Promise<CpuAndMemoryStats>): Collector => ({
  async collect() {
    const samples = new Samples();
    let errors = 0;
    try {
      addAll(samples, await stats());
    } catch {
      errors = 1;
    }
    const help = '1 where the usage of containers could not be told, else 0.';
    samples.add('scrape_error', {}, errors, { help });
    samples.add('resource_scrape_error', {}, errors, { help });
    return samples.families();
  },
});

function addAll(samples: Samples, { node, pods }: CpuAndMemoryStats): void {
  addUsage(samples, 'node', {}, node);
  for (const { name: pod, namespace, containers, ...usage } of pods) {
    for (const { name: container, startTime, ...used } of containers) {
      const labels = { container, pod, namespace };
      const help = 'Start of the container, seconds since 1970.';
      if (startTime > 0) samples.add('container_start_time_seconds', labels, startTime / 1000, { help });
      addUsage(samples, 'container', labels, used);
      addSwapLimit(samples, labels, used);
    }
    addUsage(samples, 'pod', { pod, namespace }, usage);
  }
}

function addUsage(samples: Samples, what: string, labels: Labels, { cpu, memory, swap }: ResourceUsage): void {
  const nanos = cpu?.usageCoreNanoSeconds;
  if (cpu !== undefined && nanos !== undefined)
    samples.add(`${what}_cpu_usage_seconds_total`, labels, nanos / 1e9, {
      help: `Core-seconds that the ${what} has used.`,
      timestamp: cpu.time,
    });
  if (memory !== undefined)
    samples.add(`${what}_memory_working_set_bytes`, labels, memory.workingSetBytes, {
      help: `Working set of the ${what} in bytes.`,
      timestamp: memory.time,
    });
  if (swap !== undefined)
    samples.add(`${what}_swap_usage_bytes`, labels, swap.swapUsageBytes, {
      help: `Swap that the ${what} uses, in bytes.`,
      timestamp: swap.time,
    });
}

function addSwapLimit(samples: Samples, labels: Labels, { swap }: ResourceUsage): void {
  if (swap?.swapAvailableBytes === undefined) return;
  samples.add('container_swap_limit_bytes', labels, swap.swapAvailableBytes + (swap.swapUsageBytes ?? 0), {
    help: 'Swap that the container may use, in bytes.',
    timestamp: swap.time,
  });
}

import type { Collector, Family, Labels, Sample } from '#lib/machinery/metrics/family.ts';
import type { ContainerStats, CPUStats, MemoryStats, PodStats, Summary, SwapStats } from './summary.ts';

type Described = readonly [name: string, type: 'counter' | 'gauge', help: string];

const seconds = (owner: string): Described => [
  `${owner}_cpu_usage_seconds_total`,
  'counter',
  `Cumulative cpu time consumed by the ${owner} in core-seconds`,
];
const workingSet = (owner: string): Described => [
  `${owner}_memory_working_set_bytes`,
  'gauge',
  `Current working set of the ${owner} in bytes`,
];
const SWAP_NOTE = 'Reported only on non-windows systems';

/** The metrics of upstream's resource_metrics.go, in its order. */
const METRICS = {
  nodeCPU: seconds('node'),
  nodeMemory: workingSet('node'),
  nodeSwap: ['node_swap_usage_bytes', 'gauge', `Current swap usage of the node in bytes. ${SWAP_NOTE}`],
  containerStart: ['container_start_time_seconds', 'gauge', 'Start time of the container since unix epoch in seconds'],
  containerCPU: seconds('container'),
  containerMemory: workingSet('container'),
  containerSwap: [
    'container_swap_usage_bytes',
    'gauge',
    `Current amount of the container swap usage in bytes. ${SWAP_NOTE}`,
  ],
  containerSwapLimit: [
    'container_swap_limit_bytes',
    'gauge',
    `Current amount of the container swap limit in bytes. ${SWAP_NOTE}`,
  ],
  podCPU: seconds('pod'),
  podMemory: workingSet('pod'),
  podSwap: ['pod_swap_usage_bytes', 'gauge', `Current amount of the pod swap usage in bytes. ${SWAP_NOTE}`],
  scrape: ['scrape_error', 'gauge', '1 if there was an error while getting container metrics, 0 otherwise'],
  resourceScrape: [
    'resource_scrape_error',
    'gauge',
    '1 if there was an error while getting container metrics, 0 otherwise',
  ],
} as const satisfies Record<string, Described>;
type Metric = keyof typeof METRICS;

/** The ports of the metrics. */
export interface ResourceMetricsOptions {
  /** CPU and memory usage. */
  cpuAndMemory(): Promise<Summary>;
  /** Called when the summary is unavailable. The scrape reports an error. */
  onFault(error: unknown): void;
}

/**
 * The metrics of `/metrics/resource`, which metrics-server scrapes (upstream: resourceMetricsCollector). Values are measured during the
 * scrape and have no timestamps. A summary's timestamps have whole seconds, so rates computed from them would be wrong.
 */
export class ResourceMetrics implements Collector {
  readonly #options: ResourceMetricsOptions;

  constructor(options: ResourceMetricsOptions) {
    this.#options = options;
  }

  async collect(): Promise<readonly Family[]> {
    const samples = new Samples();
    let failures = 0;
    try {
      addSummary(samples, await this.#options.cpuAndMemory());
    } catch (error) {
      this.#options.onFault(error);
      failures = 1;
    }
    samples.add('scrape', {}, failures);
    samples.add('resourceScrape', {}, failures);
    return samples.families();
  }
}

class Samples {
  readonly #byMetric = new Map<Metric, Sample[]>();

  /** Omits an unknown value. */
  add(metric: Metric, labels: Labels, value: number | bigint | undefined): void {
    if (value === undefined) return;
    const own = this.#byMetric.get(metric) ?? [];
    own.push({ labels, value: Number(value) });
    this.#byMetric.set(metric, own);
  }

  families(): Family[] {
    return [...this.#byMetric].map(([metric, samples]) => {
      const [name, type, help] = METRICS[metric];
      return { name, type, help, samples };
    });
  }
}

function addSummary(samples: Samples, { node, pods }: Summary): void {
  addUse(samples, ['nodeCPU', 'nodeMemory', 'nodeSwap'], {}, node);
  for (const pod of pods) {
    const labels = { pod: pod.podRef.name, namespace: pod.podRef.namespace };
    for (const container of pod.containers) addContainer(samples, container, pod);
    addUse(samples, ['podCPU', 'podMemory', 'podSwap'], labels, pod);
  }
}

function addContainer(samples: Samples, container: ContainerStats, { podRef }: PodStats): void {
  const labels = { container: container.name, pod: podRef.name, namespace: podRef.namespace };
  const start = Date.parse(container.startTime) / 1000;
  samples.add('containerStart', labels, start > 0 ? start : undefined);
  addUse(samples, ['containerCPU', 'containerMemory', 'containerSwap'], labels, container);
  const { swapAvailableBytes, swapUsageBytes = 0n } = container.swap ?? {};
  const limit = swapAvailableBytes === undefined ? undefined : swapAvailableBytes + swapUsageBytes;
  samples.add('containerSwapLimit', labels, limit);
}

interface Use {
  readonly cpu?: CPUStats;
  readonly memory?: MemoryStats;
  readonly swap?: SwapStats;
}

function addUse(
  samples: Samples,
  [cpuMetric, memoryMetric, swapMetric]: readonly [Metric, Metric, Metric],
  labels: Labels,
  { cpu, memory, swap }: Use,
): void {
  const { usageCoreNanoSeconds: used } = cpu ?? {};
  samples.add(cpuMetric, labels, used === undefined ? undefined : Number(used) / 1e9);
  samples.add(memoryMetric, labels, memory?.workingSetBytes);
  samples.add(swapMetric, labels, swap?.swapUsageBytes);
}

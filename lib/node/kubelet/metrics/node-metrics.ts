import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import type { Runtime } from '../container/runtime.ts';

/** The ports of the metrics. */
export interface NodeMetricsOptions {
  readonly node: string;
  readonly runtime: Pick<Runtime, 'pods'>;
  /** Called when the runtime cannot list its pods. Their metrics are omitted. */
  onFault(error: unknown): void;
}

/**
 * The node's name, and the number of running pods and containers at the scrape (upstream: NodeName, RunningPodCount,
 * RunningContainerCount).
 */
export class NodeMetrics implements Collector {
  readonly #options: NodeMetricsOptions;

  constructor(options: NodeMetricsOptions) {
    this.#options = options;
  }

  async collect(): Promise<readonly Family[]> {
    const { node, runtime, onFault } = this.#options;
    const name: Family = {
      name: 'kubelet_node_name',
      help: "The node's name. The count is always 1.",
      type: 'gauge',
      samples: [{ labels: { node }, value: 1 }],
    };
    try {
      const pods = await runtime.pods(true);
      const running = pods.filter(({ sandboxes }) => sandboxes.some(({ state }) => state === 'running'));
      const states = Map.groupBy(
        pods.flatMap(({ containers }) => containers),
        ({ state }) => state,
      );
      return [
        name,
        {
          name: 'kubelet_running_pods',
          help: 'Number of pods that have a running pod sandbox',
          type: 'gauge',
          samples: [{ labels: {}, value: running.length }],
        },
        {
          name: 'kubelet_running_containers',
          help: 'Number of containers currently running',
          type: 'gauge',
          samples: [...states].map(([state, all]) => ({ labels: { container_state: state }, value: all.length })),
        },
      ];
    } catch (error) {
      onFault(error);
      return [name];
    }
  }
}

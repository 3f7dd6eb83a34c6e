import { uidOf } from '#lib/machinery/meta.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { Runtime } from '#lib/node/kubelet/container/runtime.ts';
import type { KubeletCore } from '#lib/node/kubelet/kubelet-core.ts';
import { NodeMetrics } from '#lib/node/kubelet/metrics/node-metrics.ts';
import type { RunKubelet } from '#lib/node/kubelet/run-kubelet.ts';
import { ResourceMetrics } from '#lib/node/kubelet/stats/resource-metrics.ts';
import { VolumeStatsMetrics } from '#lib/node/kubelet/stats/volume-stats-metrics.ts';
import { partsWithoutRuntime, type ServedParts } from '../server.ts';
import type { PodContext } from './context.ts';
import type { NodeStats } from './stats.ts';

/** The parts whose state the node's server exposes. */
export interface ServedInputs {
  readonly context: PodContext;
  readonly core: KubeletCore;
  readonly kubelet: Pick<RunKubelet, 'syncLoopFault'>;
  readonly runtime: Runtime;
  readonly stats: NodeStats;
  readonly probes: Collector;
  /** The metrics of other parts, for `/metrics`. */
  readonly metrics: readonly Collector[];
}

/** The pods of a node with their runtime, as the node's server exposes them. */
export const servedParts = ({
  context,
  core,
  kubelet,
  runtime,
  stats,
  probes,
  metrics,
}: ServedInputs): ServedParts => ({
  metrics: {
    agent: [...partsWithoutRuntime.metrics.agent, ...podMetrics({ context, core, runtime, stats }), ...metrics],
    probes: [probes],
    cadvisor: [stats.cadvisor],
    resource: [
      new ResourceMetrics({
        cpuAndMemory: () => stats.summary.cpuAndMemory(),
        onFault: context.log.fault('cannot tell the usage of the node'),
      }),
    ],
  },
  summary: async (onlyCPUAndMemory) => (onlyCPUAndMemory ? stats.summary.cpuAndMemory() : stats.summary.summary()),
  pods: {
    pods: () => core.podManager.pods(),
    podByName: (namespace, name) => core.podManager.podByName(namespace, name),
    podStatus: (uid) => core.statusManager.podStatus(uid),
  },
  runtime,
  syncLoopFault: () => kubelet.syncLoopFault(),
  streaming: context.services.runtime,
});

const podMetrics = ({
  context: { options, following, log },
  core,
  runtime,
  stats,
}: Pick<ServedInputs, 'context' | 'core' | 'runtime' | 'stats'>): Collector[] => [
  core.podMetrics,
  following.metrics,
  new NodeMetrics({ node: options.node, runtime, onFault: log.fault('cannot count the pods that run') }),
  new VolumeStatsMetrics({ uids: () => core.podManager.pods().map(uidOf), storage: stats.storage }),
];

import { readFile } from 'node:fs/promises';
import { systemClock as clock } from '#adapters/clock.ts';
import { cgroupMountsOf } from '#adapters/node/host/cgroup/cgroup.ts';
import { HostCgroupReader } from '#adapters/node/host/cgroup/cgroup-reader.ts';
import { HostMachineStats } from '#adapters/node/host/machine/machine-stats.ts';
import { HostPodStorage } from '#adapters/node/host/volumes/pod-storage.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { FsInfo } from '#lib/node/kubelet/host.ts';
import { CadvisorMetrics } from '#lib/node/kubelet/stats/cadvisor-metrics.ts';
import { CRIStatsProvider, type PodStorage } from '#lib/node/kubelet/stats/cri-stats-provider.ts';
import { measuredVolumes } from '#lib/node/kubelet/stats/measured-volumes.ts';
import type { PodStats } from '#lib/node/kubelet/stats/summary.ts';
import { SummaryProvider } from '#lib/node/kubelet/stats/summary-provider.ts';
import type { PodContext } from './context.ts';
import type { NodeVolumes } from './volumes.ts';

/** The statistics of the node, its pods and its images. */
export interface NodeStats {
  readonly summary: SummaryProvider;
  /** The metrics of cgroups, under cAdvisor's names. */
  readonly cadvisor: CadvisorMetrics;
  readonly storage: PodStorage;
  /** CPU and memory of one pod. Undefined if the runtime does not report them. */
  podCPUAndMemory(uid: string): Promise<PodStats | undefined>;
  /** Whether images are on a different file system than the agent's folder. */
  hasOwnImageFs(): Promise<boolean>;
}

/** The pods to report statistics for. */
export interface StatsInputs {
  /** The pod with a uid. Undefined if the node has none. */
  readonly pod: (uid: string) => Pod | undefined;
  /** The path of the cgroup of all pods. '' without one. */
  readonly pods: string;
}

/** Creates the statistics. */
export async function nodeStats(
  { host, machine, services, rootDir, configuration, options, log }: PodContext,
  volumes: NodeVolumes,
  { pod, pods }: StatsInputs,
): Promise<NodeStats> {
  const mounts = cgroupMountsOf(await readFile('/proc/self/mountinfo', 'utf8'));
  const fsInfo = (path: string): Promise<FsInfo | undefined> => host.fsAt(path);
  const storage = new HostPodStorage({
    clock,
    rootDirectory: rootDir,
    podLogsDirectory: configuration.podLogsDir,
    volumesOf: (uid) => {
      const found = pod(uid);
      return found === undefined ? [] : measuredVolumes(found, volumes.manager.mountedVolumes(uid));
    },
    onFault: log.fault('cannot measure what a pod stores'),
  });
  const provider = new CRIStatsProvider({
    runtime: services.runtime,
    images: services.images,
    storage,
    clock,
    rootFs: () => host.rootFs(),
    fsInfo,
  });
  const summary = new SummaryProvider({
    node: options.node,
    clock,
    machine: new HostMachineStats({ mounts, memoryCapacity: machine.memoryCapacity }),
    pods: provider,
    rootFs: () => host.rootFs(),
    systemContainers: pods === '' ? {} : { pods },
    onFault: log.fault('cannot read a cgroup'),
  });
  const imagePath = async (): Promise<string | undefined> => {
    const { imageFilesystems } = await services.images.imageFsInfo({});
    return imageFilesystems[0]?.fsId?.mountpoint;
  };
  const cadvisor = new CadvisorMetrics({
    clock,
    cgroups: new HostCgroupReader(mounts),
    root: pods,
    machine,
    runtime: services.runtime,
    pod,
    onFault: log.fault('cannot tell the metrics of cgroups'),
  });
  return {
    summary,
    cadvisor,
    storage,
    podCPUAndMemory: async (uid) =>
      (await provider.listPodCPUAndMemoryStats()).find(({ podRef }) => podRef.uid === uid),
    async hasOwnImageFs() {
      const path = await imagePath();
      return path !== undefined && !(await host.isOnRootFs(path));
    },
  };
}

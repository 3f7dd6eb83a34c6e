import type { FsInfo } from '../host.ts';
import { fsSize } from './cri-usage.ts';
import type { ContainerStats, CPUStats, FsStats, MemoryStats, SwapStats, UInt64 } from './summary.ts';

/** The sum over a pod's containers, if the runtime does not report the pod's usage. Undefined without containers. */
export function podCPU(containers: readonly ContainerStats[]): CPUStats | undefined {
  const all = containers.flatMap(({ cpu }) => cpu ?? []);
  const time = all.at(-1)?.time;
  if (time === undefined) return undefined;
  return { time, usageNanoCores: sum(all, 'usageNanoCores'), usageCoreNanoSeconds: sum(all, 'usageCoreNanoSeconds') };
}

/** The sum over a pod's containers, if the runtime does not report the pod's usage. Undefined without containers. */
export function podMemory(containers: readonly ContainerStats[]): MemoryStats | undefined {
  const all = containers.flatMap(({ memory }) => memory ?? []);
  const time = all.at(-1)?.time;
  if (time === undefined) return undefined;
  return {
    time,
    availableBytes: sum(all, 'availableBytes'),
    usageBytes: sum(all, 'usageBytes'),
    workingSetBytes: sum(all, 'workingSetBytes'),
    rssBytes: sum(all, 'rssBytes'),
    pageFaults: sum(all, 'pageFaults'),
    majorPageFaults: sum(all, 'majorPageFaults'),
  };
}

/** The sum over a pod's containers. Undefined without containers. */
export function podSwap(containers: readonly ContainerStats[]): SwapStats | undefined {
  const all = containers.flatMap(({ swap }) => swap ?? []);
  const time = all.at(-1)?.time;
  if (time === undefined) return undefined;
  return { time, swapAvailableBytes: sum(all, 'swapAvailableBytes'), swapUsageBytes: sum(all, 'swapUsageBytes') };
}

/** The disk usage of a pod in addition to its containers. */
export interface PodDiskUsage {
  /** Volumes that are deleted with the pod. */
  readonly ephemeralVolumes: readonly FsStats[];
  readonly logs?: FsStats | undefined;
  readonly etcHosts?: FsStats | undefined;
}

/** The total disk usage of a pod: writable layers, logs, ephemeral volumes and its hosts file (upstream: calcEphemeralStorage). */
export function ephemeralStorage(
  containers: readonly ContainerStats[],
  disk: PodDiskUsage,
  root: { readonly info: FsInfo; readonly time: string },
): FsStats {
  const parts = [...containers.flatMap(({ rootfs, logs }) => (rootfs ? [rootfs, logs] : [])), ...disk.ephemeralVolumes];
  const all = [...parts, disk.logs, disk.etcHosts].flatMap((part) => part ?? []);
  const times = [root.time, ...all.map(({ time }) => time)].sort();
  return {
    time: times.at(-1) ?? root.time,
    ...fsSize(root.info),
    usedBytes: sum(all, 'usedBytes'),
    inodesUsed: sum(all, 'inodesUsed'),
  };
}

const sum = <K extends string>(parts: readonly { readonly [k in K]?: UInt64 }[], field: K): UInt64 =>
  parts.reduce<UInt64>((total, part) => total + (part[field] ?? 0n), 0n);

/** A number of bytes, nanoseconds or inodes from the runtime. The nanoseconds of a busy core exceed 2^53 within months. */
export type UInt64 = bigint;

/** Statistics of the node and its pods (upstream: stats/v1alpha1). Times are RFC 3339. Unknown values are absent. */
export type Summary = { node: NodeStats; pods: PodStats[] };

/** Statistics of the node. */
export type NodeStats = {
  nodeName: string;
  systemContainers?: ContainerStats[];
  startTime: string;
  cpu?: CPUStats;
  memory?: MemoryStats;
  network?: NetworkStats;
  fs?: FsStats;
  runtime?: { imageFs?: FsStats; containerFs?: FsStats };
  rlimit?: { time: string; maxpid?: UInt64; curproc?: UInt64 };
  swap?: SwapStats;
};

/** Statistics of a pod. */
export type PodStats = {
  podRef: PodReference;
  startTime: string;
  containers: ContainerStats[];
  cpu?: CPUStats;
  memory?: MemoryStats;
  network?: NetworkStats;
  volume?: VolumeStats[];
  'ephemeral-storage'?: FsStats;
  process_stats?: { process_count?: UInt64 };
  swap?: SwapStats;
};

/** A reference to a pod. */
export type PodReference = { name: string; namespace: string; uid: string };

/** Statistics of a container. */
export type ContainerStats = {
  name: string;
  startTime: string;
  cpu?: CPUStats;
  memory?: MemoryStats;
  rootfs?: FsStats;
  logs?: FsStats;
  swap?: SwapStats;
};

/** CPU usage: nanocores over the last seconds, and nanoseconds since the start. */
export type CPUStats = { time: string; usageNanoCores?: UInt64; usageCoreNanoSeconds?: UInt64 };

/** Memory usage. */
export type MemoryStats = {
  time: string;
  availableBytes?: UInt64;
  usageBytes?: UInt64;
  workingSetBytes?: UInt64;
  rssBytes?: UInt64;
  pageFaults?: UInt64;
  majorPageFaults?: UInt64;
};

/** Swap usage. */
export type SwapStats = { time: string; swapAvailableBytes?: UInt64; swapUsageBytes?: UInt64 };

/** Usage of a file system. */
export type FsStats = {
  time: string;
  availableBytes?: UInt64;
  capacityBytes?: UInt64;
  usedBytes?: UInt64;
  inodesFree?: UInt64;
  inodes?: UInt64;
  inodesUsed?: UInt64;
};

/** Usage of a volume. */
export type VolumeStats = FsStats & { name?: string; pvcRef?: { name: string; namespace: string } };

/** Usage of a network interface. */
export type InterfaceStats = {
  name: string;
  rxBytes?: UInt64;
  rxErrors?: UInt64;
  txBytes?: UInt64;
  txErrors?: UInt64;
};

/** Network usage of the default interface, and of each interface. */
export type NetworkStats = InterfaceStats & { time: string; interfaces?: InterfaceStats[] };

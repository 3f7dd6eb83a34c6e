import { defined } from '#lib/machinery/defined.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type {
  CpuUsage,
  ContainerStats as CRIContainerStats,
  FilesystemUsage,
  MemoryUsage,
  NetworkInterfaceUsage,
  NetworkUsage,
  SwapUsage,
  UInt64Value,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { FsInfo } from '../host.ts';
import type {
  ContainerStats,
  CPUStats,
  FsStats,
  InterfaceStats,
  MemoryStats,
  NetworkStats,
  SwapStats,
  UInt64,
} from './summary.ts';

/** The text of a time from the runtime, in nanoseconds since 1970. */
export const nanosText = (nanoseconds: bigint): string => timeOf(Number(nanoseconds / 1_000_000n));

const valueOf = (count: UInt64Value | undefined): UInt64 | undefined => count?.value;

/** The CPU usage from the runtime, or undefined if it is not reported. */
export const cpuStats = (cpu: CpuUsage | undefined, nanoCores?: UInt64): CPUStats | undefined =>
  cpu && {
    time: nanosText(cpu.timestamp),
    ...defined({
      usageNanoCores: valueOf(cpu.usageNanoCores) ?? nanoCores,
      usageCoreNanoSeconds: valueOf(cpu.usageCoreNanoSeconds),
    }),
  };

/** The memory usage from the runtime, or undefined if it is not reported. */
export const memoryStats = (memory: MemoryUsage | undefined): MemoryStats | undefined =>
  memory && {
    time: nanosText(memory.timestamp),
    ...defined({
      availableBytes: valueOf(memory.availableBytes),
      usageBytes: valueOf(memory.usageBytes),
      workingSetBytes: valueOf(memory.workingSetBytes),
      rssBytes: valueOf(memory.rssBytes),
      pageFaults: valueOf(memory.pageFaults),
      majorPageFaults: valueOf(memory.majorPageFaults),
    }),
  };

const swapStats = (swap: SwapUsage | undefined): SwapStats | undefined =>
  swap && {
    time: nanosText(swap.timestamp),
    ...defined({
      swapAvailableBytes: valueOf(swap.swapAvailableBytes),
      swapUsageBytes: valueOf(swap.swapUsageBytes),
    }),
  };

const interfaceStats = ({ name, rxBytes, rxErrors, txBytes, txErrors }: NetworkInterfaceUsage): InterfaceStats => ({
  name,
  ...defined({
    rxBytes: valueOf(rxBytes),
    rxErrors: valueOf(rxErrors),
    txBytes: valueOf(txBytes),
    txErrors: valueOf(txErrors),
  }),
});

/** The network usage of a pod from the runtime, or undefined if it is not reported. */
export function networkStats(network: NetworkUsage | undefined): NetworkStats | undefined {
  if (network?.defaultInterface === undefined) return undefined;
  const interfaces = network.interfaces.map(interfaceStats);
  return {
    time: nanosText(network.timestamp),
    ...interfaceStats(network.defaultInterface),
    ...(interfaces.length > 0 && { interfaces }),
  };
}

/** The size of a file system, and the usage of one part of it. */
export const fsStats = (usage: FilesystemUsage | undefined, info: FsInfo | undefined, now: string): FsStats => ({
  time: usage === undefined ? now : nanosText(usage.timestamp),
  ...(info && fsSize(info)),
  ...defined({ usedBytes: valueOf(usage?.usedBytes), inodesUsed: valueOf(usage?.inodesUsed) }),
});

/** The size of a file system. */
export const fsSize = ({ available, capacity, inodes, inodesFree }: FsInfo): Omit<FsStats, 'time'> => ({
  availableBytes: BigInt(available),
  capacityBytes: BigInt(capacity),
  inodesFree: BigInt(inodesFree),
  inodes: BigInt(inodes),
});

/** The inputs of a container's statistics in addition to those of the runtime. */
export interface ContainerFacts {
  /** Creation time in nanoseconds since 1970. */
  readonly createdAt: bigint;
  /** The fallback if the runtime reports none. */
  readonly nanoCores?: UInt64 | undefined;
  readonly rootfs?: FsStats;
  readonly logs?: FsStats | undefined;
  /** The current time as RFC 3339. */
  readonly now: string;
}

/** The statistics of a container. CPU, memory and swap values that the runtime does not report are zero, like upstream. */
export function containerStats(stats: CRIContainerStats, facts: ContainerFacts): ContainerStats {
  const { createdAt, nanoCores, rootfs, logs, now: time } = facts;
  const none = { usageBytes: 0n, workingSetBytes: 0n, rssBytes: 0n };
  return {
    name: stats.attributes?.metadata?.name ?? '',
    startTime: nanosText(createdAt),
    cpu: cpuStats(stats.cpu, nanoCores) ?? { time, usageNanoCores: 0n, usageCoreNanoSeconds: 0n },
    memory: memoryStats(stats.memory) ?? { time, ...none },
    ...defined({ rootfs, logs }),
    swap: swapStats(stats.swap) ?? { time, swapAvailableBytes: 0n, swapUsageBytes: 0n },
  };
}

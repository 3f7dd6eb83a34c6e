import type { Container, Pod } from '#lib/api/types/core.v1.ts';

/** Node facts and settings that decide the configuration of sandboxes and containers. */
export interface ConfigSettings {
  /** The directory of pod logs: `/var/log/pods`. */
  readonly podLogsRoot: string;
  /** The directory of local seccomp profiles: `ROOT/seccomp`. */
  readonly seccompProfileRoot: string;
  /** Whether a container without a seccomp profile gets the runtime's default. */
  readonly seccompDefault: boolean;
  /** Whether CPU limits are enforced. */
  readonly cpuCFSQuota: boolean;
  /** CFS quota period in microseconds, 100,000 by default. */
  readonly cpuCFSQuotaPeriod: number;
  /** Memory size in bytes, greater than 0. */
  readonly memoryCapacity: number;
  /** Swap size in bytes. */
  readonly swapCapacity: number;
  readonly memorySwapBehavior: 'NoSwap' | 'LimitedSwap';
  readonly swapControllerAvailable: boolean;
  /** Whether the machine only has version 2 cgroups. */
  readonly cgroupV2: boolean;
  /** Whether an OOM kills a single process instead of the whole container. Only applies to version 2 cgroups. */
  readonly singleProcessOOMKill: boolean;
  /** Sizes of huge pages that the kernel supports, in the form `2MB`. */
  readonly hugePageSizes: readonly string[];
  readonly selinuxEnabled: boolean;
  /** The machine's directories `/sys/devices/system/cpu/cpuN/thermal_throttle`, which are hidden from containers. */
  readonly thermalThrottlePaths: readonly string[];
  /** Whether the container has exclusive CPUs, or any container of the pod if none is passed. The CPU quota is then not enforced. */
  hasExclusiveCPUs(pod: Pod, container?: Container): boolean;
}

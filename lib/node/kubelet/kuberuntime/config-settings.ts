import type { Container, Pod } from '#lib/api/types/core.v1.ts';

/** The facts of the node and its settings that decide what sandboxes and containers get. */
export interface ConfigSettings {
  /** Holds the folders of pods' logs: `/var/log/pods`. */
  readonly podLogsRoot: string;
  /** Holds local seccomp profiles: `ROOT/seccomp`. */
  readonly seccompProfileRoot: string;
  /** Whether a container that names no seccomp profile gets the runtime's. */
  readonly seccompDefault: boolean;
  /** Whether limits of CPU are enforced. */
  readonly cpuCFSQuota: boolean;
  /** Microseconds, 100,000 by default. */
  readonly cpuCFSQuotaPeriod: number;
  /** Bytes, more than none. */
  readonly memoryCapacity: number;
  /** Bytes. */
  readonly swapCapacity: number;
  readonly memorySwapBehavior: 'NoSwap' | 'LimitedSwap';
  readonly swapControllerAvailable: boolean;
  /** Whether the machine has cgroups of version 2 alone. */
  readonly cgroupV2: boolean;
  /** Whether a lack of memory kills one process, and not all of the container; counts with cgroups of version 2 alone. */
  readonly singleProcessOOMKill: boolean;
  /** Sizes of huge pages that the kernel has, in the form `2MB`. */
  readonly hugePageSizes: readonly string[];
  readonly selinuxEnabled: boolean;
  /** Folders `/sys/devices/system/cpu/cpuN/thermal_throttle` that the machine has; containers do not see them. */
  readonly thermalThrottlePaths: readonly string[];
  /** Whether a container has CPUs to itself, or without one any container of the pod: its quota is then not enforced. */
  hasExclusiveCPUs(pod: Pod, container?: Container): boolean;
}

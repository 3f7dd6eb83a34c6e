import type { InterfaceStats, UInt64 } from './summary.ts';

/** Memory usage of a cgroup in bytes. */
export interface CgroupMemory {
  readonly usage: UInt64;
  /** Usage without inactive file pages. */
  readonly workingSet: UInt64;
  readonly rss: UInt64;
  readonly pageFaults: UInt64;
  readonly majorPageFaults: UInt64;
  /** Absent without a limit. The limit of the machine is its memory size. */
  readonly limit?: UInt64;
}

/** Usage of a cgroup. A part is absent if the machine lacks its controller. */
export interface CgroupUsage {
  /** CPU time since the start in nanoseconds. */
  readonly cpu?: UInt64;
  readonly memory?: CgroupMemory;
}

/** The counters of a machine. Methods reject if the machine does not report them. */
export interface MachineStats {
  /** The usage of a cgroup by its path below the mount. `/` is the machine. */
  cgroupUsage(path: string): Promise<CgroupUsage>;
  /** Swap usage, or undefined without swap. */
  swap(): Promise<{ readonly available: UInt64; readonly usage: UInt64 } | undefined>;
  /** The network interfaces, without loopback and those of pods. */
  networkInterfaces(): Promise<readonly InterfaceStats[]>;
  /** The maximum and current number of processes. */
  rlimit(): Promise<{ readonly maxpid?: UInt64; readonly curproc?: UInt64 }>;
  /** Boot time of the machine in milliseconds since 1970. */
  bootTime(): Promise<number>;
}

import type { InterfaceStats, UInt64 } from './summary.ts';

/** Use of memory by a cgroup, in bytes. */
export interface CgroupMemory {
  readonly usage: UInt64;
  /** Usage without pages of files that were not used lately. */
  readonly workingSet: UInt64;
  readonly rss: UInt64;
  readonly pageFaults: UInt64;
  readonly majorPageFaults: UInt64;
  /** Absent without a limit; that of the machine is its memory. */
  readonly limit?: UInt64;
}

/** Use of a cgroup. A part whose controller the machine lacks is absent. */
export interface CgroupUsage {
  /** Nanoseconds of processors since the start. */
  readonly cpu?: UInt64;
  readonly memory?: CgroupMemory;
}

/** The counters of a machine. Methods reject where the machine does not tell. */
export interface MachineStats {
  /** The use of a cgroup by its path below the mount; `/` is the machine. */
  cgroupUsage(path: string): Promise<CgroupUsage>;
  /** The use of swap; undefined without swap. */
  swap(): Promise<{ readonly available: UInt64; readonly usage: UInt64 } | undefined>;
  /** The interfaces but those of loopback and of pods. */
  networkInterfaces(): Promise<readonly InterfaceStats[]>;
  /** How many processes there can be, and are. */
  rlimit(): Promise<{ readonly maxpid?: UInt64; readonly curproc?: UInt64 }>;
  /** When the machine started, milliseconds since 1970. */
  bootTime(): Promise<number>;
}

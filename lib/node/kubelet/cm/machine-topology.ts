import type { HugePagesInfo } from '../cadvisor.ts';

/** A physical core. */
export interface Core {
  /** The kernel's number of the core, unique only within a socket. */
  readonly id: number;
  /** Numbers of its logical CPUs. */
  readonly threads: readonly number[];
  readonly socketID: number;
  /** The last-level cache that the core shares, or undefined if the machine does not report it. */
  readonly uncoreCacheID?: number;
}

/** A NUMA node. */
export interface NumaNode {
  readonly id: number;
  /** Memory of the node in bytes. */
  readonly memory: number;
  readonly hugePages: readonly HugePagesInfo[];
  /** Distances to every node, ordered by node id. Undefined if the machine does not report them. */
  readonly distances: readonly number[] | undefined;
  readonly cores: readonly Core[];
}

/** The CPUs and memory of a machine by NUMA node (upstream: cadvisor's MachineInfo.Topology). */
export interface MachineTopology {
  /** Number of online logical CPUs. */
  readonly numCPUs: number;
  readonly numSockets: number;
  readonly nodes: readonly NumaNode[];
}

/** Reads the layout of the machine. Rejects if the machine does not report it. */
export interface TopologySource {
  machineTopology(): Promise<MachineTopology>;
}

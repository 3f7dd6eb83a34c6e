import type { HugePagesInfo } from '../cadvisor.ts';

/** A physical core. */
export interface Core {
  /** The kernel's number, unique in a socket only. */
  readonly id: number;
  /** Numbers of its logical CPUs. */
  readonly threads: readonly number[];
  readonly socketID: number;
  /** The cache of the last level that it shares; undefined where the machine does not tell. */
  readonly uncoreCacheID?: number;
}

/** A NUMA node. */
export interface NumaNode {
  readonly id: number;
  /** Bytes. */
  readonly memory: number;
  readonly hugePages: readonly HugePagesInfo[];
  /** To every node in the order of their ids; undefined where the machine does not tell. */
  readonly distances: readonly number[] | undefined;
  readonly cores: readonly Core[];
}

/** CPUs and memory of a machine as its NUMA nodes have them (upstream: cadvisor's MachineInfo.Topology). */
export interface MachineTopology {
  /** Logical CPUs that are online. */
  readonly numCPUs: number;
  readonly numSockets: number;
  readonly nodes: readonly NumaNode[];
}

/** Reads the layout of the machine. Rejects where the machine does not tell. */
export interface TopologySource {
  machineTopology(): Promise<MachineTopology>;
}

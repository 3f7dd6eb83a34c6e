import { CPUSet } from '../cpuset.ts';
import type { Core, MachineTopology } from '../machine-topology.ts';

/** The location of a logical CPU. */
export interface CPUInfo {
  readonly numaNodeID: number;
  readonly socketID: number;
  /** The lowest CPU number of the core, which is unique on the machine. */
  readonly coreID: number;
  readonly uncoreCacheID: number;
}

/** A level of the machine's topology. */
export type Level = keyof CPUInfo;

/** CPUs with their locations (upstream: topology.CPUDetails). */
export class CPUDetails {
  readonly #infos: ReadonlyMap<number, CPUInfo>;

  constructor(infos: Iterable<readonly [number, CPUInfo]>) {
    this.#infos = new Map(infos);
  }

  info(cpu: number): CPUInfo | undefined {
    return this.#infos.get(cpu);
  }

  cpus(): CPUSet {
    return new CPUSet(this.#infos.keys());
  }

  /** Keeps only the CPUs in the set. */
  keepOnly(cpus: CPUSet): CPUDetails {
    return new CPUDetails([...this.#infos].filter(([cpu]) => cpus.has(cpu)));
  }

  /** The CPUs of the nodes, sockets, cores or caches with these ids. */
  cpusIn(level: Level, ids: readonly number[]): CPUSet {
    return new CPUSet([...this.#infos].flatMap(([cpu, info]) => (ids.includes(info[level]) ? cpu : [])));
  }

  /** All ids of a level, or those that share CPUs with the given ids of another level, in ascending order. */
  ids(level: Level, within?: { readonly level: Level; readonly ids: readonly number[] }): number[] {
    const infos = [...this.#infos.values()].filter(
      (info) => within === undefined || within.ids.includes(info[within.level]),
    );
    return new CPUSet(infos.map((info) => info[level])).list();
  }
}

/** The CPU topology of a machine (upstream: topology.CPUTopology). */
export interface CPUTopology {
  readonly numCPUs: number;
  readonly numCores: number;
  readonly numUncoreCaches: number;
  readonly numSockets: number;
  readonly numNUMANodes: number;
  readonly details: CPUDetails;
}

/** Number of logical CPUs per core, socket or cache, if all have the same number. */
export const cpusPer = ({ numCPUs }: CPUTopology, parts: number): number =>
  parts === 0 ? 0 : Math.floor(numCPUs / parts);

/** The topology from the machine's facts. Throws Error if they contain no CPU, or a core without CPUs. */
export function discoverTopology({ numCPUs, numSockets, nodes }: MachineTopology): CPUTopology {
  if (numCPUs === 0) throw new Error('could not detect number of cpus');
  const cores = nodes.flatMap(({ id, cores: own }) => own.map((core) => ({ core, node: id })));
  const details = new CPUDetails(
    cores.flatMap(({ core, node }) => core.threads.map((cpu) => [cpu, placeOf(core, node)] as const)),
  );
  return {
    numCPUs,
    numSockets,
    numCores: cores.filter(({ core }) => uniqueCoreID(core) >= 0).length,
    numNUMANodes: details.ids('numaNodeID').length,
    numUncoreCaches: details.ids('uncoreCacheID').length,
    details,
  };
}

const placeOf = (core: Core, node: number): CPUInfo => ({
  numaNodeID: node,
  socketID: core.socketID,
  coreID: uniqueCoreID(core),
  uncoreCacheID: core.uncoreCacheID ?? core.socketID,
});

function uniqueCoreID({ threads }: Core): number {
  if (threads.length === 0) throw new Error('no cpus provided');
  if (new Set(threads).size !== threads.length) throw new Error('cpus provided are not unique');
  return Math.min(...threads);
}

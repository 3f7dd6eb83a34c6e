import type { Core, MachineTopology, NumaNode } from '../machine-topology.ts';

/** The shape of a machine whose parts are all alike. */
export interface MachineShape {
  readonly numa: number;
  readonly sockets: number;
  /** Cores of each NUMA node, or of each socket where there are more sockets. */
  readonly cores: number;
  readonly threads: number;
  /** Caches of the last level of each such part; 0 where the machine does not tell. */
  readonly caches: number;
}

/** A machine whose cores are numbered part after part, and whose second threads follow all first ones. */
export function machineOf({ numa, sockets, cores, threads, caches }: MachineShape): MachineTopology {
  const parts = Math.max(numa, sockets);
  const total = parts * cores;
  const own = new Map<number, Core[]>();
  for (let part = 0; part < parts; part += 1) {
    const node = Math.floor((part * numa) / parts);
    for (let core = 0; core < cores; core += 1) {
      const first = part * cores + core;
      const cache = part * caches + Math.floor((core * caches) / cores);
      const one: Core = {
        id: core,
        threads: Array.from({ length: threads }, (_, thread) => first + thread * total),
        socketID: Math.floor((part * sockets) / parts),
        ...(caches > 0 ? { uncoreCacheID: cache } : {}),
      };
      own.set(node, [...(own.get(node) ?? []), one]);
    }
  }
  const nodes = [...own].map(
    ([id, list]): NumaNode => ({ id, memory: 0, hugePages: [], distances: undefined, cores: list }),
  );
  return { numCPUs: total * threads, numSockets: sockets, nodes };
}

import type { Core, MachineTopology, NumaNode } from '../machine-topology.ts';

/** The shape of a machine whose parts are identical. */
export interface MachineShape {
  readonly numa: number;
  readonly sockets: number;
  /** Number of cores per NUMA node, or per socket if there are more sockets. */
  readonly cores: number;
  readonly threads: number;
  /** Number of last-level caches in each such part, 0 if the machine does not report them. */
  readonly caches: number;
}

/** A machine whose cores are numbered part by part. The second threads of all cores follow the first ones. */
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

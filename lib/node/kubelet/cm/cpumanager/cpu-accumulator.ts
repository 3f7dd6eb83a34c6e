import { CPUSet } from '../cpuset.ts';
import { type CPUDetails, type CPUTopology, cpusPer, type Level } from './topology.ts';

/** The order in which single CPUs are taken: core by core, or each from a different core of a socket. */
export type CPUSortingStrategy = 'packed' | 'spread';

/** The inputs of an allocation. */
export interface TakeRequest {
  readonly topology: CPUTopology;
  readonly available: CPUSet;
  readonly numCPUs: number;
  readonly strategy: CPUSortingStrategy;
}

/** Takes CPUs from the available ones until there are enough (upstream: cpuAccumulator). */
export class CPUAccumulator {
  readonly #topology: CPUTopology;
  readonly #strategy: CPUSortingStrategy;
  /** Whether a NUMA node has at least one socket. Otherwise sockets have several nodes. */
  readonly #numaFirst: boolean;
  #free: CPUDetails;
  #needed: number;
  #result = new CPUSet();

  constructor({ topology, available, numCPUs, strategy }: TakeRequest) {
    this.#topology = topology;
    this.#strategy = strategy;
    this.#numaFirst = topology.numSockets >= topology.numNUMANodes;
    this.#free = topology.details.keepOnly(available);
    this.#needed = numCPUs;
  }

  get result(): CPUSet {
    return this.#result;
  }

  /** The CPUs that can still be taken. */
  get free(): CPUDetails {
    return this.#free;
  }

  /** The number of missing CPUs, negative if too many are taken. */
  get needed(): number {
    return this.#needed;
  }

  get isSatisfied(): boolean {
    return this.#needed < 1;
  }

  /** Whether fewer CPUs are free than needed. */
  get isFailed(): boolean {
    return this.#needed > this.#free.cpus().size;
  }

  take(cpus: CPUSet): void {
    this.#result = this.#result.union(cpus);
    this.#free = this.#free.keepOnly(this.#free.cpus().difference(this.#result));
    this.#needed -= cpus.size;
  }

  /** Takes whole NUMA nodes and sockets, larger ones first. */
  takeFullNodesAndSockets(): void {
    const levels: Level[] = this.#numaFirst ? ['numaNodeID', 'socketID'] : ['socketID', 'numaNodeID'];
    for (const level of levels) if (!this.isSatisfied) this.#takeFull(level);
  }

  /** Takes whole last-level caches, then a part of one that is large enough. */
  takeUncoreCache(): void {
    const perCache = cpusPer(this.#topology, this.#topology.numUncoreCaches);
    for (const cache of this.#sorted('uncoreCacheID')) {
      if (this.#needed >= perCache) this.#takeFull('uncoreCacheID');
      if (this.isSatisfied) return;
      this.#takePartialUncore(cache);
      if (this.isSatisfied) return;
    }
  }

  /** Takes whole cores. */
  takeFullCores(): void {
    this.#takeFull('coreID');
  }

  /** Takes single CPUs until the request is satisfied. */
  takeRemainingCPUs(): void {
    for (const cpu of this.#sortedCPUs()) {
      this.take(new CPUSet([cpu]));
      if (this.isSatisfied) return;
    }
  }

  /** NUMA nodes with free CPUs, those with the fewest first. If sockets have several nodes, the socket with the fewest comes first. */
  sortedNUMANodes(): number[] {
    return this.#sorted('numaNodeID');
  }

  #takeFull(level: Level): void {
    const whole = this.#sorted(level).filter((id) => this.#isFree(level, id));
    for (const id of whole) {
      const cpus = this.#topology.details.cpusIn(level, [id]);
      if (this.#needed >= cpus.size) this.take(cpus);
    }
  }

  #takePartialUncore(cache: number): void {
    const perCore = cpusPer(this.#topology, this.#topology.numCores);
    const cores = this.#free.ids('coreID', { level: 'uncoreCacheID', ids: [cache] });
    const wanted = cores.slice(0, Math.floor((this.#needed + perCore - 1) / perCore));
    let cpus = this.#free.cpusIn('coreID', wanted);
    const odd = this.#needed % 2 !== 0 && perCore > 1;
    if (odd && cpus.size > this.#needed) cpus = new CPUSet(cpus.list().slice(0, -1));
    if (cpus.size === this.#needed) this.take(cpus);
  }

  #isFree(level: Level, id: number): boolean {
    return this.#free.cpusIn(level, [id]).size === this.#wholeSize(level, id);
  }

  #wholeSize(level: Level, id: number): number {
    const { numSockets, numCores, details } = this.#topology;
    if (level === 'socketID') return cpusPer(this.#topology, numSockets);
    if (level === 'coreID') return cpusPer(this.#topology, numCores);
    return details.cpusIn(level, [id]).size;
  }

  /** The ids of a level with free CPUs. They follow the order of the parent level, and have the fewest free CPUs first within a parent. */
  #sorted(level: Level): number[] {
    const above = this.#levelAbove(level);
    if (above === undefined) return this.#byFreeCPUs(level, this.#free.ids(level));
    return this.#sorted(above).flatMap((id) =>
      this.#byFreeCPUs(level, this.#free.ids(level, { level: above, ids: [id] })),
    );
  }

  #levelAbove(level: Level): Level | undefined {
    if (level === 'uncoreCacheID') return 'numaNodeID';
    if (level === 'coreID') return this.#numaFirst ? 'socketID' : 'numaNodeID';
    if (level === 'socketID') return this.#numaFirst ? 'numaNodeID' : undefined;
    return this.#numaFirst ? undefined : 'socketID';
  }

  #byFreeCPUs(level: Level, ids: readonly number[]): number[] {
    const sizes = new Map(ids.map((id) => [id, this.#free.cpusIn(level, [id]).size]));
    return ids.toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0) || a - b);
  }

  #sortedCPUs(): number[] {
    const level: Level = this.#strategy === 'packed' ? 'coreID' : 'socketID';
    return this.#sorted(level).flatMap((id) => this.#free.cpusIn(level, [id]).list());
  }
}

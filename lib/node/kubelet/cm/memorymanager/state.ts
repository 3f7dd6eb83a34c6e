import type { ContainerRef } from '../containermap.ts';

/** Memory of one kind on a NUMA node, in bytes (upstream: MemoryTable). */
export interface MemoryTable {
  readonly total: number;
  readonly systemReserved: number;
  readonly allocatable: number;
  reserved: number;
  free: number;
}

/** The allocations of a NUMA node. */
export interface NumaNodeState {
  /** Number of allocations: one for each kind of memory of each container with memory here. */
  numberOfAssignments: number;
  /** Memory by resource: `memory`, `hugepages-2Mi`. */
  readonly memoryMap: Map<string, MemoryTable>;
  /** The nodes whose memory is allocated together with this one, including itself. */
  cells: readonly number[];
}

/** The NUMA nodes by id. */
export type MachineState = ReadonlyMap<number, NumaNodeState>;

/** A container's memory of one kind, spread over some nodes. */
export interface Block {
  readonly numaAffinity: readonly number[];
  readonly type: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Blocks by pod uid and container name. */
export type MemoryAssignments = ReadonlyMap<string, ReadonlyMap<string, readonly Block[]>>;

/** The memory of containers by node (upstream: state.State). */
export class MemoryState {
  machine: MachineState;
  readonly #assignments = new Map<string, Map<string, readonly Block[]>>();

  constructor(machine: MachineState = new Map(), assignments: MemoryAssignments = new Map()) {
    this.machine = machine;
    for (const [uid, blocks] of assignments) this.#assignments.set(uid, new Map(blocks));
  }

  get assignments(): MemoryAssignments {
    return this.#assignments;
  }

  /** The container's blocks, or undefined if it has none. */
  blocks({ podUID, containerName }: ContainerRef): readonly Block[] | undefined {
    return this.#assignments.get(podUID)?.get(containerName);
  }

  setBlocks({ podUID, containerName }: ContainerRef, blocks: readonly Block[]): void {
    const own = this.#assignments.get(podUID) ?? new Map<string, readonly Block[]>();
    this.#assignments.set(podUID, own.set(containerName, blocks));
  }

  delete({ podUID, containerName }: ContainerRef): void {
    const own = this.#assignments.get(podUID);
    own?.delete(containerName);
    if (own?.size === 0) this.#assignments.delete(podUID);
  }
}

/** Allocates a block from its nodes in order. A node without memory of the kind only counts the allocation. */
export function allocateBlock(machine: MachineState, { numaAffinity, type, size }: Block): void {
  let missing = size;
  for (const node of nodesOf(machine, numaAffinity)) {
    node.numberOfAssignments += 1;
    node.cells = numaAffinity;
    const table = node.memoryMap.get(type);
    if (table === undefined) continue;
    const taken = Math.min(missing, Math.max(0, table.free));
    table.reserved += taken;
    table.free -= taken;
    missing -= taken;
  }
}

/** Releases a block's memory on its nodes. */
export function releaseBlock(machine: MachineState, { numaAffinity, type, size }: Block): void {
  let left = size;
  for (const [id, node] of machine) {
    if (!numaAffinity.includes(id)) continue;
    node.numberOfAssignments -= 1;
    if (node.numberOfAssignments === 0) node.cells = [id];
    const table = node.memoryMap.get(type);
    if (table === undefined) continue;
    const given = Math.min(left, table.reserved);
    table.free += given;
    table.reserved -= given;
    left -= given;
  }
}

const nodesOf = (machine: MachineState, ids: readonly number[]): NumaNodeState[] =>
  ids.flatMap((id) => machine.get(id) ?? []);

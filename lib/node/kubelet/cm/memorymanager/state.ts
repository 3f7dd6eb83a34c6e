import type { ContainerRef } from '../containermap.ts';

/** Memory of one kind on a NUMA node, in bytes (upstream: MemoryTable). */
export interface MemoryTable {
  readonly total: number;
  readonly systemReserved: number;
  readonly allocatable: number;
  reserved: number;
  free: number;
}

/** A NUMA node with what is allocated of it. */
export interface NumaNodeState {
  /** One for each kind of memory of each container that has some here. */
  numberOfAssignments: number;
  /** By resource: `memory`, `hugepages-2Mi`. */
  readonly memoryMap: Map<string, MemoryTable>;
  /** The nodes that containers have memory of together with this one, itself among them. */
  cells: readonly number[];
}

/** The NUMA nodes by id. */
export type MachineState = ReadonlyMap<number, NumaNodeState>;

/** Memory of one kind that a container has, over some nodes. */
export interface Block {
  readonly numaAffinity: readonly number[];
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** Blocks by pod uid and container name. */
export type MemoryAssignments = ReadonlyMap<string, ReadonlyMap<string, readonly Block[]>>;

/** The memory that containers have, by node (upstream: state.State). */
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

  /** Undefined where the container has none. */
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

/** Takes a block from its nodes: the first ones first. Nodes that have no memory of the kind are counted alone. */
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

/** Gives a block back to its nodes. */
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

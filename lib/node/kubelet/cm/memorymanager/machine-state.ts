import { quantityText } from '#lib/machinery/resource/quantity.ts';
import type { NumaNode } from '../machine-topology.ts';
import type { SystemReservedMemory } from './reserved-memory.ts';
import {
  allocateBlock,
  type MachineState,
  type MemoryAssignments,
  type MemoryTable,
  type NumaNodeState,
} from './state.ts';

/** The state of a machine without allocated memory. */
export function defaultMachineState(nodes: readonly NumaNode[], reserved: SystemReservedMemory): MachineState {
  return new Map(
    nodes.map(({ id, memory, hugePages }) => {
      const own = reserved.get(id);
      const pages = hugePages.map(({ pageSize, numPages }) => ({ pageSize, total: numPages * pageSize * 1024 }));
      const inPages = pages.reduce((sum, { total }) => sum + total, 0);
      const tables = pages.map(({ pageSize, total }): [string, MemoryTable] => {
        const name = hugePagesName(pageSize);
        return [name, tableOf(total, own?.get(name) ?? 0, 0)];
      });
      const memoryMap = new Map([...tables, ['memory', tableOf(memory, own?.get('memory') ?? 0, inPages)] as const]);
      return [id, { numberOfAssignments: 0, memoryMap, cells: [id] }];
    }),
  );
}

/** The resource name of huge pages with this size in KiB. */
function hugePagesName(pageSize: number): string {
  const size = quantityText({ unscaled: BigInt(pageSize) * 1024n, scale: 0, format: 'BinarySI' });
  return `hugepages-${size}`;
}

function tableOf(total: number, systemReserved: number, elsewhere: number): MemoryTable {
  const allocatable = total - systemReserved - elsewhere;
  return { total, systemReserved, allocatable, reserved: 0, free: allocatable };
}

/** The state of an empty machine after these assignments. Throws Error with upstream's text if they do not fit the machine. */
export function expectedMachineState(empty: MachineState, assignments: MemoryAssignments): MachineState {
  for (const [uid, containers] of assignments) {
    for (const [name, blocks] of containers) {
      for (const block of blocks) {
        const failed = `[memorymanager] (pod: ${uid}, container: ${name}) the memory assignment uses`;
        const nodes = block.numaAffinity.map((id) => empty.get(id));
        if (nodes.includes(undefined)) throw new Error(`${failed} the NUMA that does not exist`);
        if (nodes.some((node) => node?.memoryMap.has(block.type) === false))
          throw new Error(`${failed} memory resource that does not exist`);
        allocateBlock(empty, block);
      }
    }
  }
  return empty;
}

/** Whether two states have the same memory. The distribution may differ among nodes that are used together. */
export function isSameMachineState(a: MachineState, b: MachineState): boolean {
  return a.size === b.size && [...a].every(([id, node]) => isSameNode(node, b.get(id), { a, b }));
}

function isSameNode(
  node: NumaNodeState,
  other: NumaNodeState | undefined,
  { a, b }: { readonly a: MachineState; readonly b: MachineState },
): boolean {
  if (other === undefined || node.numberOfAssignments !== other.numberOfAssignments) return false;
  if (!isSameGroup(node.cells, other.cells) || node.memoryMap.size !== other.memoryMap.size) return false;
  return [...node.memoryMap].every(([name, table]) => {
    const own = other.memoryMap.get(name);
    const fixed =
      table.total === own?.total &&
      table.systemReserved === own.systemReserved &&
      table.allocatable === own.allocatable;
    const sum = (machine: MachineState, field: 'free' | 'reserved'): number =>
      node.cells.reduce((total, id) => total + (machine.get(id)?.memoryMap.get(name)?.[field] ?? 0), 0);
    return fixed && sum(a, 'free') === sum(b, 'free') && sum(a, 'reserved') === sum(b, 'reserved');
  });
}

/** Whether two lists contain the same nodes. */
export const isSameGroup = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id));

/** An independent copy. */
export const cloneMachineState = (machine: MachineState): MachineState =>
  new Map(
    [...machine].map(([id, { numberOfAssignments, memoryMap, cells }]) => [
      id,
      { numberOfAssignments, cells, memoryMap: new Map([...memoryMap].map(([name, table]) => [name, { ...table }])) },
    ]),
  );

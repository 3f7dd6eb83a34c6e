import { type BitMask, bitMasksOf, bitsOf, countOf, isNarrowerThan } from '../topologymanager/bitmask.ts';
import type { TopologyHint } from '../topologymanager/hint-provider.ts';
import { isSameGroup } from './machine-state.ts';
import type { RequestedMemory } from './requested-memory.ts';
import type { MachineState } from './state.ts';

/** A hint for specific nodes. */
export type MemoryHint = TopologyHint & { readonly affinity: BitMask };

/**
 * Hints for the sets of nodes that can provide all the memory, so that every kind has the same sets. `reusable` returns the bytes of a kind
 * that the pod's init containers leave free on a set of nodes.
 */
export function memoryHints(
  machine: MachineState,
  requested: RequestedMemory,
  reusable: (mask: BitMask, name: string) => number,
): MemoryHint[] {
  const nodes = [...machine.keys()].sort((a, b) => a - b);
  let least = nodes.length;
  const masks: BitMask[] = [];
  for (const mask of bitMasksOf(nodes)) {
    const bits = bitsOf(mask);
    const enough = (field: 'allocatable' | 'free', more: (name: string) => number): boolean =>
      [...requested].every(([name, size]) => totalOf(machine, bits, { name, field }) + more(name) >= size);
    if (!enough('allocatable', () => 0)) continue;
    least = Math.min(least, countOf(mask));
    const [single] = bits;
    if (bits.length === 1 && single !== undefined && (machine.get(single)?.cells.length ?? 0) > 1) continue;
    if (violatesGroups(machine, mask)) continue;
    if (enough('free', (name) => reusable(mask, name))) masks.push(mask);
  }
  return masks.map((affinity) => ({ affinity, preferred: countOf(affinity) === least }));
}

/** Whether a mask of several nodes includes one that is already in use alone or in another group. */
export function violatesGroups(machine: MachineState, mask: BitMask): boolean {
  const bits = bitsOf(mask);
  if (bits.length === 1) return false;
  return bits.some((id) => {
    const node = machine.get(id);
    return (
      node !== undefined && node.numberOfAssignments > 0 && (node.cells.length === 1 || !isSameGroup(node.cells, bits))
    );
  });
}

/** Whether the nodes have enough free memory of every kind. */
export const satisfies = (machine: MachineState, mask: BitMask, requested: RequestedMemory): boolean =>
  [...requested].every(([name, size]) => totalOf(machine, bitsOf(mask), { name, field: 'free' }) >= size);

/** The best hint: a preferred one before others, then the narrowest. Undefined without hints. */
export function bestHint(hints: readonly MemoryHint[]): MemoryHint | undefined {
  const [first, ...others] = hints;
  if (first === undefined) return undefined;
  return others.reduce((best, hint) => {
    if (hint.preferred !== best.preferred) return hint.preferred ? hint : best;
    return isNarrowerThan(hint.affinity, best.affinity) ? hint : best;
  }, first);
}

const totalOf = (
  machine: MachineState,
  nodes: readonly number[],
  { name, field }: { readonly name: string; readonly field: 'allocatable' | 'free' },
): number => nodes.reduce((total, id) => total + (machine.get(id)?.memoryMap.get(name)?.[field] ?? 0), 0);

import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { quote } from '#lib/machinery/go.ts';
import {
  canonicalQuantity,
  compareQuantities,
  isWhole,
  sumOfQuantities,
  wholeValue,
} from '#lib/machinery/resource/quantities.ts';
import type { NumaNode } from '../machine-topology.ts';

/** Memory of a NUMA node that is reserved for the system (`reservedMemory` of the configuration). */
export interface MemoryReservation {
  readonly numaNode: number;
  /** Reserved amounts by resource: `memory`, `hugepages-2Mi`. */
  readonly limits: Usage;
}

/** Memory in bytes that is reserved for the system, by NUMA node and resource. */
export type SystemReservedMemory = ReadonlyMap<number, ReadonlyMap<string, number>>;

/**
 * The reservations by node. Throws Error with upstream's text if a node does not exist or the sums differ from the reservation of the whole
 * node.
 */
export function systemReservedMemory(
  nodes: readonly NumaNode[],
  nodeReservation: Usage,
  reserved: readonly MemoryReservation[],
): SystemReservedMemory {
  const result = new Map(nodes.map(({ id }) => [id, new Map<string, number>()]));
  const totals = new Map<string, string>();
  for (const { numaNode, limits } of reserved) {
    const own = result.get(numaNode);
    if (own === undefined) {
      const config = 'the reserved memory configuration references a NUMA node';
      throw new Error(`${config} ${numaNode} that does not exist on this machine`);
    }
    for (const [name, value] of limits) {
      totals.set(name, sumOfQuantities(totals.get(name) ?? '0', value));
      own.set(name, wholeBytes(value));
    }
  }
  const kinds = [...nodeReservation.keys()].filter((name) => name === 'memory' || isHugePages(name));
  for (const name of new Set([...totals.keys(), ...kinds])) {
    const [total, wanted] = [totals.get(name) ?? '0', nodeReservation.get(name) ?? '0'];
    if (compareQuantities(total, wanted) === 0) continue;
    const amounts = `amount ${quote(canonicalQuantity(total))} of type ${quote(name)}`;
    const node = `${quote(canonicalQuantity(wanted))} determined by Node Allocatable feature`;
    throw new Error(`the total ${amounts} is not equal to the value ${node}`);
  }
  return result;
}

function wholeBytes(value: string): number {
  if (!isWhole(value)) throw new Error('could not covert a variable of type Quantity to int64');
  return Number(wholeValue(value));
}

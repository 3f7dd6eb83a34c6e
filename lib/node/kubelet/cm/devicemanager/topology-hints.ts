import { type BitMask, bitMask, bitMasksOf, bitsOf, countOf } from '../topologymanager/bitmask.ts';
import type { TopologyHint } from '../topologymanager/hint-provider.ts';
import { numaNodesOf, type ResourceDevices } from './resource-devices.ts';

/** The devices that an allocation can use. */
export interface HintChoice {
  /** IDs that are not in use. */
  readonly available: Iterable<string>;
  /** IDs that the pod's init containers used. The allocation must include each of them. */
  readonly reusable: Iterable<string>;
  /** Number of requested devices. */
  readonly request: number;
  /** The machine's NUMA nodes. */
  readonly numaNodes: readonly number[];
}

/** Every set of NUMA nodes that has enough devices. A set is preferred if it has the fewest nodes that the whole resource allows. */
export function deviceTopologyHints(devices: ResourceDevices, choice: HintChoice): TopologyHint[] {
  const { request } = choice;
  const nodes = nodesToConsider(devices, choice.numaNodes);
  const all = countsByMask(devices, devices.all.keys());
  const available = countsByMask(devices, choice.available);
  const reusable = countsByMask(
    devices,
    [...choice.reusable].filter((id) => devices.get(id)?.topology !== undefined),
  );
  let fewest = nodes.length;
  const masks: BitMask[] = [];
  for (const mask of bitMasksOf(nodes)) {
    if (countIn(all, mask) >= request) fewest = Math.min(fewest, countOf(mask));
    if (![...reusable.keys()].every((nodesOfDevice) => (nodesOfDevice & mask) !== 0n)) continue;
    if (countIn(reusable, mask) + countIn(available, mask) >= request) masks.push(mask);
  }
  return masks.map((affinity) => ({ affinity, preferred: countOf(affinity) === fewest }));
}

/** The nodes that have devices, or all nodes if the plugin names none of the machine's nodes. */
function nodesToConsider(devices: ResourceDevices, numaNodes: readonly number[]): number[] {
  const named = new Set([...devices.all.values()].flatMap(numaNodesOf));
  const known = bitsOf(bitMask(...numaNodes.filter((node) => named.has(node))));
  return known.length === 0 ? [...numaNodes] : known;
}

/** Number of devices with the same nodes. Thousands of devices have only a few sets of nodes. */
function countsByMask(devices: ResourceDevices, ids: Iterable<string>): Map<BitMask, number> {
  const counts = new Map<BitMask, number>();
  for (const id of ids) {
    const mask = devices.maskOf(id);
    counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  return counts;
}

function countIn(counts: ReadonlyMap<BitMask, number>, mask: BitMask): number {
  let total = 0;
  for (const [nodes, count] of counts) if ((nodes & mask) !== 0n) total += count;
  return total;
}

import { isSet } from '../topologymanager/bitmask.ts';
import type { TopologyHint } from '../topologymanager/hint-provider.ts';
import { NODE_WITHOUT_TOPOLOGY } from './constants.ts';
import { numaNodesOf, type ResourceDevices } from './resource-devices.ts';

/** Devices by where they are: on the nodes of the affinity, on others, on none. */
export interface Aligned {
  readonly aligned: readonly string[];
  readonly unaligned: readonly string[];
  readonly noAffinity: readonly string[];
}

/**
 * Sorts available devices by the affinity that the topology manager found. Without affinity, or of a resource whose devices have no
 * nodes, all are in `noAffinity`.
 */
export function filterByAffinity(
  devices: ResourceDevices,
  available: readonly string[],
  { affinity }: TopologyHint,
): Aligned {
  if (affinity === undefined || !devices.hasTopologyAlignment())
    return { aligned: [], unaligned: [], noAffinity: available };
  const placed = { aligned: new Array<string>(), unaligned: new Array<string>(), noAffinity: new Array<string>() };
  for (const id of available) {
    const nodes = numaNodesOf(devices.get(id)).filter((node) => node !== NODE_WITHOUT_TOPOLOGY);
    if (nodes.length === 0) placed.noAffinity.push(id);
    else if (nodes.some((node) => isSet(affinity, node))) placed.aligned.push(id);
    else placed.unaligned.push(id);
  }
  return placed;
}

import { isSet } from '../topologymanager/bitmask.ts';
import type { TopologyHint } from '../topologymanager/hint-provider.ts';
import { NODE_WITHOUT_TOPOLOGY } from './constants.ts';
import { numaNodesOf, type ResourceDevices } from './resource-devices.ts';

/** Devices by location: on the nodes of the affinity, on other nodes, or without a node. */
export interface Aligned {
  readonly aligned: readonly string[];
  readonly unaligned: readonly string[];
  readonly noAffinity: readonly string[];
}

/**
 * Groups available devices by the topology manager's affinity. All are in `noAffinity` without an affinity, or if the resource's devices
 * have no nodes.
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

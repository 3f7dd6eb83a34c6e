import { type CostModel, FULL_COST, shareOf } from '../cost-model.ts';

/**
 * Packs pods on few nodes, so that empty ones can be removed. The fullest node has the lowest cost. With c and m as the shares of CPU and
 * memory that the node's pods request before the round, the cost is
 *
 *     1000 · (1 - (c + m) / 2) + (1000 + index, if the node has no pod).
 *
 * The index of the node in the snapshot orders empty nodes, so that one fills up before the next is opened. Source: the bin packing of
 * upstream's MostAllocated strategy (`noderesources/most_allocated.go`) as a linear cost.
 */
export const leastNodes: CostModel = {
  name: 'least-nodes',
  preferences: { NodeAffinity: 1, TaintToleration: 1, InterPodAffinity: 1 },
  place({ node, index }) {
    const { nonZeroRequested, allocatable, pods } = node;
    const cpu = shareOf(nonZeroRequested.milliCpu, allocatable.milliCpu);
    const memory = shareOf(nonZeroRequested.memory, allocatable.memory);
    const free = Math.round(FULL_COST * (1 - (cpu + memory) / 2));
    return pods.size === 0 ? free + FULL_COST + index : free;
  },
};

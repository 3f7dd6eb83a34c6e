import { type CostModel, FULL_COST, shareOf } from '../cost-model.ts';

/**
 * Spreads the load: Firmament's CPU/memory model, the default of Poseidon. With c and m as the shares of CPU and memory that the node's
 * pods request after the placement, the cost is
 *
 *     1000 · ((c + m) / 2 + ((c - m) / 2)²),
 *
 * the mean load and its variance over the two resources.
 */
export const cpuMemory: CostModel = {
  name: 'cpu-memory',
  preferences: { NodeAffinity: 1, TaintToleration: 1, InterPodAffinity: 1 },
  place({ pod, node, earlier }) {
    const { nonZeroRequested, allocatable } = node;
    const cpu = shareOf(nonZeroRequested.milliCpu + (earlier + 1) * pod.nonZero.milliCpu, allocatable.milliCpu);
    const memory = shareOf(nonZeroRequested.memory + (earlier + 1) * pod.nonZero.memory, allocatable.memory);
    const deviation = (cpu - memory) / 2;
    return Math.round(FULL_COST * ((cpu + memory) / 2 + deviation * deviation));
  },
};

import type { CostModel } from '../cost-model.ts';

/**
 * Places pods where their data is: Quincy's model (Isard et al., "Quincy: Fair Scheduling for Distributed Computing Clusters", SOSP 2009),
 * whose cost is the data that a task must fetch. Here the cost reflects the container images that a node lacks, and the preferred node
 * affinity of a pod. Both are preferences, so the model itself adds no cost.
 */
export const locality: CostModel = {
  name: 'locality',
  preferences: { NodeAffinity: 2, ImageLocality: 2, TaintToleration: 1 },
  place: () => 0,
};

import type { CostModel } from '../cost-model.ts';

/**
 * Places pods where their data is: Quincy's model (Isard et al., "Quincy: Fair Scheduling for Distributed Computing Clusters", SOSP 2009),
 * whose cost is the data that a task must fetch. Here the data are the container images that a node lacks and the nodes that a pod prefers
 * by node affinity. Both come as preferences, so the model itself adds nothing.
 */
export const locality: CostModel = {
  name: 'locality',
  preferences: { NodeAffinity: 2, ImageLocality: 2, TaintToleration: 1 },
  place: () => 0,
};

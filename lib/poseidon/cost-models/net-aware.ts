import { type CostModel, FULL_COST, shareOf } from '../cost-model.ts';

/** The extended resource with which nodes and pods declare network bandwidth, in units of the administrator's choice. */
export const BANDWIDTH = 'davit.dev/network-bandwidth';

/**
 * Balances network bandwidth: Firmament's network-aware model. With b as the share of the node's bandwidth that its pods request after the
 * placement, the cost is 1000 · b. A pod that requests no bandwidth costs nothing anywhere. NodeResourcesFit keeps pods off nodes without
 * enough bandwidth, because it is an extended resource.
 */
export const netAware: CostModel = {
  name: 'net-aware',
  preferences: { NodeAffinity: 1, TaintToleration: 1, InterPodAffinity: 1 },
  place({ pod, node, earlier }) {
    const request = pod.requests.scalar.get(BANDWIDTH) ?? 0;
    if (request === 0) return 0;
    const used = (node.requested.scalar.get(BANDWIDTH) ?? 0) + (earlier + 1) * request;
    return Math.round(FULL_COST * shareOf(used, node.allocatable.scalar.get(BANDWIDTH) ?? 0));
  },
};

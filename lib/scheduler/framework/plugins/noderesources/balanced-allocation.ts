import type { StateKey } from '../../cycle-state.ts';
import { MAX_NODE_SCORE, type PluginFactory } from '../../interface.ts';
import { SKIP } from '../../status.ts';
import { type ImmutableState, immutable } from '../shared/immutable-state.ts';
import type { NodeResourcesBalancedAllocationArgs } from './args.ts';
import {
  amountsOn,
  type Counting,
  podRequests,
  type ResourceAmount,
  requestsSignature,
} from './resource-allocation.ts';

const KEY: StateKey<ImmutableState<readonly number[]>> = { name: 'PreScoreNodeResourcesBalancedAllocation' };

/** Prefers nodes with balanced utilization of their resources. Skips pods without requests, which would otherwise all get the same node. */
export const nodeResourcesBalancedAllocation: PluginFactory<NodeResourcesBalancedAllocationArgs> = ({ resources }) => {
  const counting: Counting = { resources, assumesNonZero: false };
  return {
    name: 'NodeResourcesBalancedAllocation',
    sign: requestsSignature,
    preScore(state, pod) {
      const requests = podRequests(pod, counting);
      if (requests.every((request) => request === 0)) return SKIP;
      state.write(KEY, immutable(requests));
      return undefined;
    },
    score: (state, pod, node) =>
      improvement(amountsOn(node, state.read(KEY)?.value ?? podRequests(pod, counting), counting)),
  };
};

/** 75 if the balance stays the same, up to 100 for an improvement, down to 50 for a decline. */
function improvement(amounts: readonly ResourceAmount[]): number {
  const after = balance(amounts.map(({ requested, allocatable }) => Math.min(requested / allocatable, 1)));
  const before = balance(amounts.map(({ allocated, allocatable }) => Math.min(allocated / allocatable, 1)));
  const half = MAX_NODE_SCORE / 2;
  return half + Math.trunc((half + after - before) / 2);
}

/** The balance: 1 minus the standard deviation of the shares, scaled to the score range. Shares are at most 1, so it is at least 50. */
const balance = (shares: readonly number[]): number => Math.trunc((1 - deviation(shares)) * MAX_NODE_SCORE);

function deviation(shares: readonly number[]): number {
  const [a, b] = shares;
  if (a === undefined || b === undefined) return 0;
  if (shares.length === 2) return Math.abs((a - b) / 2);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) * (share - mean), 0);
  return Math.sqrt(squares / shares.length);
}

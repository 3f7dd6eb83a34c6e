import { MAX_NODE_SCORE } from '../../interface.ts';
import { type Scorer, weightedMean } from './resource-allocation.ts';

/** Prefers nodes of which little is left. Pods that do not say what they need may count for more than there is. */
export const mostAllocated: Scorer = (amounts) =>
  weightedMean(amounts, ({ requested, allocatable }) =>
    Math.trunc((Math.min(requested, allocatable) * MAX_NODE_SCORE) / allocatable),
  );

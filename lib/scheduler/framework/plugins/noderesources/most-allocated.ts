import { MAX_NODE_SCORE } from '../../interface.ts';
import { type Scorer, weightedMean } from './resource-allocation.ts';

/** Prefers nodes with the smallest free share. The assumed requests of pods without requests may exceed the node's capacity. */
export const mostAllocated: Scorer = (amounts) =>
  weightedMean(amounts, ({ requested, allocatable }) =>
    Math.trunc((Math.min(requested, allocatable) * MAX_NODE_SCORE) / allocatable),
  );

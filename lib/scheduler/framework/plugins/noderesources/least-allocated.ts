import { MAX_NODE_SCORE } from '../../interface.ts';
import { type Scorer, weightedMean } from './resource-allocation.ts';

/** Prefers nodes with the largest free share. */
export const leastAllocated: Scorer = (amounts) =>
  weightedMean(amounts, ({ requested, allocatable }) =>
    requested > allocatable ? 0 : Math.trunc(((allocatable - requested) * MAX_NODE_SCORE) / allocatable),
  );

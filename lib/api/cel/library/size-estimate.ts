import { type CostEstimator, type CostNode, type Range, unknownSize } from '../cost/estimate.ts';

/** Returns the size of an argument: from the expression, otherwise from the schema, otherwise the unknown size. */
export function sizeEstimate(estimator: CostEstimator, node: CostNode): Range {
  return node.computedSize ?? estimator.estimateSize?.(node) ?? unknownSize;
}

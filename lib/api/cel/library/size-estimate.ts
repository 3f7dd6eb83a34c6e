import { type CostEstimator, type CostNode, type Range, unknownSize } from '../cost/estimate.ts';

/** The size of an argument: by itself, by the schema, else anything. */
export function sizeEstimate(estimator: CostEstimator, node: CostNode): Range {
  return node.computedSize ?? estimator.estimateSize?.(node) ?? unknownSize;
}

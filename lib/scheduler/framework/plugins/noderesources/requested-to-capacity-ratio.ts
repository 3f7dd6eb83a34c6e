import { MAX_NODE_SCORE } from '../../interface.ts';
import { brokenLinear, type ShapePoint } from '../shared/shape-score.ts';
import { MAX_CUSTOM_SCORE } from './args.ts';
import type { ResourceAmount, Scorer } from './resource-allocation.ts';

const FULL = 100;

/** Scores nodes by a function of their utilization. Resources with a score of 0 do not count. */
export function requestedToCapacityRatio(shape: readonly ShapePoint[]): Scorer {
  const ratio = MAX_NODE_SCORE / MAX_CUSTOM_SCORE;
  const score = brokenLinear(shape.map(({ utilization, score: own }) => ({ utilization, score: own * ratio })));
  const utilizationOf = ({ requested, allocatable }: ResourceAmount): number =>
    requested > allocatable ? FULL : Math.trunc((requested * FULL) / allocatable);
  return (amounts) => {
    const scored = amounts
      .map((amount) => ({ weight: amount.weight, score: score(utilizationOf(amount)) }))
      .filter((one) => one.score > 0);
    const weights = scored.reduce((sum, { weight }) => sum + weight, 0);
    const scores = scored.reduce((sum, one) => sum + one.score * one.weight, 0);
    return weights === 0 ? 0 : Math.round(scores / weights);
  };
}

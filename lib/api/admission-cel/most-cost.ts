import type { CheckedExpr } from '#lib/api/cel/ast/checked.ts';
import { estimateCost } from '#lib/api/cel/cost/cost.ts';
import type { CostEstimator } from '#lib/api/cel/cost/estimate.ts';
import { kubernetesEstimator } from '#lib/api/cel/library/kubernetes.ts';
import { MAX_REQUEST_SIZE, PER_CALL_LIMIT } from '#lib/api/cel/library/limits.ts';

/** The maximum cost of an expression, excluding the policy's variables that it uses. */
export interface MostCost {
  readonly own: number;
  readonly usesVariables: boolean;
}

/** The maximum cost of any expression: twice the limit of one, because its last step may exceed the limit. */
const MOST_OF_ONE = 2 * PER_CALL_LIMIT;

/** No part of a request is larger than its body. A policy's variables may produce values of any size. */
const estimator: CostEstimator = kubernetesEstimator(({ path }) =>
  path.length > 0 && path[0] !== 'variables' ? { min: 0, max: MAX_REQUEST_SIZE } : undefined,
);

/** The maximum cost of a checked expression by itself, in cost units. */
export function mostCost(checked: CheckedExpr): MostCost {
  return {
    own: Math.min(estimateCost(checked, estimator).max, MOST_OF_ONE),
    usesVariables: [...checked.references.values()].some(({ name }) => name === 'variables'),
  };
}

interface Costed {
  readonly most?: MostCost | undefined;
}

/** The maximum total cost of these expressions in one evaluation, with the variables that they use. */
export function mostOfAll(expressions: readonly Costed[], variables: Iterable<Costed>): number {
  const sum = (all: Iterable<Costed>): number => [...all].reduce((total, { most }) => total + (most?.own ?? 0), 0);
  return sum(expressions) + (expressions.some(({ most }) => most?.usesVariables) ? sum(variables) : 0);
}

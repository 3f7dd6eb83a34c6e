import { add, type CostEstimator, type CostNode, fixed, multiply, scale } from '../cost/estimate.ts';
import { declare, type FunctionDeclaration, global } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, listType, paramType } from '../types/type.ts';
import { equal } from '../values/equal.ts';
import { costSize } from '../values/size.ts';
import type { ListValue, Value } from '../values/value.ts';
import { sizeEstimate } from './size-estimate.ts';

const listOfT = listType(paramType('T'));

/** cel-go's sets extension. */
export const sets: Library = {
  name: 'cel.lib.ext.sets',
  functions: [
    overList('contains', 1, contains),
    overList('equivalent', 2, (a, b) => contains(a, b) && contains(b, a)),
    overList('intersects', 1, (a, b) => some(a, (element) => has(b, element))),
  ],
};

function overList(name: string, factor: number, call: (a: ListValue, b: ListValue) => boolean): FunctionDeclaration {
  return declare(`sets.${name}`, {
    ...global(`list_sets_${name}_list`, [listOfT, listOfT], boolType, call),
    estimate(estimator: CostEstimator, _target: CostNode | undefined, args: readonly CostNode[]) {
      const [a, b] = args;
      if (a === undefined || b === undefined) return undefined;
      const comparisons = multiply(sizeEstimate(estimator, a), sizeEstimate(estimator, b));
      return { cost: add(scale(comparisons, factor), fixed(1)) };
    },
    cost: ([a = null, b = null]) => 1 + costSize(a) * costSize(b) * factor,
  });
}

function contains(a: ListValue, b: ListValue): boolean {
  return !some(b, (element) => !has(a, element));
}

function has(list: ListValue, element: Value): boolean {
  return some(list, (other) => equal(other, element));
}

function some(list: ListValue, test: (element: Value) => boolean): boolean {
  for (let i = 0; i < list.size; i++) {
    if (test(list.get(i))) return true;
  }
  return false;
}

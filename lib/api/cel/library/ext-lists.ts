import type { Expr } from '../ast/expr.ts';
import { accumulator, type ExprFactory } from '../ast/factory.ts';
import {
  add,
  type CallEstimate,
  type CostEstimator,
  type CostNode,
  fixed,
  listCost,
  maxEstimate,
  multiply,
  type Range,
  scale,
  stringTraversalFactor,
} from '../cost/estimate.ts';
import { declare, global, member, type Overload } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { type Macro, MacroError } from '../parser/macro.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listOfDyn,
  listType,
  paramType,
  stringType,
  type Type,
  timestampType,
  uintType,
} from '../types/type.ts';
import { costSize } from '../values/size.ts';
import { typeOf } from '../values/type-of.ts';
import { error, ListValue, type Result, type Value } from '../values/value.ts';
import { distinct, flatten, range, reverse, slice, sortByKeys } from './ext-list-functions.ts';
import { sizeEstimate } from './size-estimate.ts';

const listOfT = listType(paramType('T'));
const COMPARABLE = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
] as const;

type Costs = Required<Pick<Overload, 'cost' | 'estimate'>>;

/** Estimates a call that creates a list: the call's own cost, the cost of the list, and the size times a factor. */
function allocating(factor: number, size: Range): CallEstimate {
  return { cost: add(scale(size, factor), fixed(1 + listCost)), resultSize: size };
}

const spent = (factor: number, size: number): number => Math.floor(size * factor) + 1 + listCost;

const literalInt = (node: CostNode | undefined, otherwise: number): number => {
  const expr = node?.expr;
  if (expr?.kind !== 'literal' || typeof expr.value !== 'bigint') return otherwise;
  return Math.max(0, Number(expr.value));
};

const ofResult = (_: readonly Value[], result: Result): number => spent(1, costSize(result));

const sliceCosts: Costs = {
  estimate(estimator, target, [start, end]) {
    if (target === undefined) return undefined;
    const size = literalInt(end, sizeEstimate(estimator, target).max) - literalInt(start, 0);
    return allocating(1, fixed(size < 0 ? maxEstimate : size));
  },
  cost: ofResult,
};
const rangeCosts: Costs = {
  estimate: (_estimator, _target, [count]) => allocating(1, fixed(literalInt(count, maxEstimate))),
  cost: ofResult,
};
const reverseCosts: Costs = {
  estimate: (estimator, target) => target && allocating(1, sizeEstimate(estimator, target)),
  cost: ofResult,
};
const flattenCosts: Costs = {
  estimate(estimator, target, [depth]) {
    const factor = depth === undefined ? 1 : literalInt(depth, maxEstimate);
    return target && allocating(factor, sizeEstimate(estimator, target));
  },
  cost: ([list = null, depth = 1n]) => spent(Number(depth), costSize(list)),
};
const distinctCosts: Costs = {
  estimate: (estimator, target) => target && squared(estimator, target, 2),
  cost: ([list = null]) => compared(list),
};

function squared(estimator: CostEstimator, node: CostNode, factor: number): CallEstimate {
  const size = sizeEstimate(estimator, node);
  return allocating(factor, multiply(size, size));
}

function compared(list: Value): number {
  const size = costSize(list);
  if (!(list instanceof ListValue) || size === 0) return spent(2, 0);
  const first = list.get(0);
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return spent(isText ? 2 + stringTraversalFactor : 2, size * size);
}

const sortFactor = (type: Type): number => (type === stringType || type === bytesType ? 2 + stringTraversalFactor : 2);

function sort(type: Type): Overload {
  return {
    ...member(`list_${type.name}_sort`, [listType(type)], listType(type), sorted),
    unguarded: true,
    estimate: (estimator, target) => target && squared(estimator, target, sortFactor(type)),
    cost: ([list = null]) => compared(list),
  };
}

function sorted(list: Value): Result {
  return list instanceof ListValue ? sortByKeys(list, list) : error('no such overload: sort');
}

function sortedBy(list: Value, keys: Value): Result {
  if (list instanceof ListValue && keys instanceof ListValue) return sortByKeys(list, keys);
  return error('no such overload: @sortByAssociatedKeys');
}

function sortByAssociatedKeys(type: Type): Overload {
  return {
    ...member(`list_${type.name}_sortByAssociatedKeys`, [listOfT, listType(type)], listOfT, sortedBy),
    unguarded: true,
    estimate: (estimator, _target, [keys]) => keys && squared(estimator, keys, sortFactor(type)),
    cost: ([, keys = null]) => compared(keys),
  };
}

const INPUT = '@__sortBy_input__';
const SORTABLE: readonly Expr['kind'][] = ['list', 'select', 'ident', 'comprehension', 'call'];

/** Expands `input.map(e, key)`. */
function keysOf(factory: ExprFactory, [variable, key]: readonly Expr[]): Expr | MacroError {
  if (variable?.kind !== 'ident' || key === undefined) return new MacroError('argument is not an identifier', variable);
  if (variable.name === accumulator) {
    return new MacroError('iteration variable overwrites accumulator variable', variable);
  }
  return factory.comprehension({
    iterRange: factory.ident(INPUT),
    iterVar: variable.name,
    iterVar2: undefined,
    accuVar: accumulator,
    accuInit: factory.list(),
    loopCondition: factory.literal(true),
    loopStep: factory.call('_+_', factory.accumulator(), factory.list(key)),
    result: factory.accumulator(),
  });
}

/** Expands `list.sortBy(e, key)`: binds the input once, then sorts it by the list of its keys. */
const sortBy: Macro = {
  name: 'sortBy',
  receiver: true,
  argCount: 2,
  expand(factory, target, args) {
    if (target === undefined) return undefined;
    const input = factory.ident(INPUT);
    if (!SORTABLE.includes(target.kind)) {
      return new MacroError(
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
        target,
      );
    }
    const keys = keysOf(factory, args);
    if (keys instanceof MacroError) return keys;
    const result = factory.memberCall('@sortByAssociatedKeys', factory.ident(INPUT), keys);
    return factory.comprehension({
      iterRange: factory.list(),
      iterVar: '#unused',
      iterVar2: undefined,
      accuVar: INPUT,
      accuInit: target,
      loopCondition: factory.literal(false),
      loopStep: input,
      result,
    });
  },
};

/** Flattens one level. If the element type is unknown, the list may also contain no lists. */
function flattenOnce(list: Value): Result {
  return list instanceof ListValue ? flatten(list) : error(`no such overload: ${typeOf(list).name}.flatten()`);
}

/** cel-go's lists extension, version 3. */
export const extLists: Library = {
  name: 'cel.lib.ext.lists',
  macros: [sortBy],
  functions: [
    declare('slice', { ...member('list_slice', [listOfT, intType, intType], listOfT, slice), ...sliceCosts }),
    declare(
      'flatten',
      { ...member('list_flatten', [listType(listOfT)], listOfT, flattenOnce), unguarded: true, ...flattenCosts },
      {
        ...member('list_flatten_int', [listOfDyn, intType], listOfDyn, (list: ListValue, depth: bigint) =>
          flatten(list, depth),
        ),
        ...flattenCosts,
      },
    ),
    declare('sort', ...COMPARABLE.map(sort)),
    declare('@sortByAssociatedKeys', ...COMPARABLE.map(sortByAssociatedKeys)),
    declare('lists.range', { ...global('lists_range', [intType], listType(intType), range), ...rangeCosts }),
    declare('reverse', { ...member('list_reverse', [listOfT], listOfT, reverse), ...reverseCosts }),
    declare('distinct', { ...member('list_distinct', [listOfT], listOfT, distinct), ...distinctCosts }),
  ],
};

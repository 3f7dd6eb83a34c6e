import type { Expr } from '../ast/expr.ts';
import {
  add,
  type CallEstimate,
  type CostNode,
  fixed,
  maxEstimate,
  multiply,
  type Range,
  regexLengthFactor,
  scale,
  stringTraversalFactor,
  union,
  unknownSize,
} from './estimate.ts';
import { type TrackedSizes, unionEntries } from './tracked-sizes.ts';

/** A call and the costs of its arguments. */
export interface CostedCall {
  readonly expr: Expr;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  readonly argCosts: readonly Range[];
}

type Estimate = (call: CostedCall, sizes: TrackedSizes, overloadId: string) => CallEstimate | undefined;

/** Returns the size known from the expression, otherwise the unknown size. */
export function sizeOrUnknown(node: CostNode | undefined): Range {
  return node?.computedSize ?? unknownSize;
}

const one = fixed(1);
const traversal = (size: Range): Range => scale(size, stringTraversalFactor);

const ofFirst: Estimate = ({ args }) => ({ cost: traversal(sizeOrUnknown(args[0])) });

const stringToBytes: Estimate = ({ args }) => {
  const size = sizeOrUnknown(args[0]);
  return { cost: traversal(size), resultSize: { min: size.min, max: Math.min(size.max * 4, maxEstimate) } };
};

const bytesToString: Estimate = ({ args }) => {
  const size = sizeOrUnknown(args[0]);
  return { cost: traversal(size), resultSize: { min: Math.floor(size.min / 4), max: size.max } };
};

const quote: Estimate = ({ args }) => {
  const size = sizeOrUnknown(args[0]);
  return { cost: traversal(size), resultSize: { min: size.min + 2, max: Math.min(size.max * 2 + 2, maxEstimate) } };
};

const format: Estimate = ({ target }) => target && { cost: traversal(sizeOrUnknown(target)) };

const inList: Estimate = ({ args }) => ({ cost: sizeOrUnknown(args[1]) });

const matches: Estimate = ({ target, args }) =>
  target && {
    cost: multiply(traversal(add(sizeOrUnknown(target), one)), scale(sizeOrUnknown(args[0]), regexLengthFactor)),
  };

const contains: Estimate = ({ target, args }) =>
  target && { cost: multiply(traversal(sizeOrUnknown(target)), traversal(sizeOrUnknown(args[0]))) };

const smaller: Estimate = ({ args }) => {
  const max = Math.min(sizeOrUnknown(args[0]).max, sizeOrUnknown(args[1]).max);
  return { cost: traversal({ min: max > 0 ? 1 : 0, max }) };
};

const concatenation: Estimate = ({ expr, args }, sizes, overloadId) => {
  const [left, right] = args;
  if (!left || !right) return undefined;
  const resultSize = add(sizeOrUnknown(left), sizeOrUnknown(right));
  sizes.setEntry(expr, unionEntries(sizes.entryOf(left.expr), sizes.entryOf(right.expr)));
  return { cost: overloadId === 'add_list' ? one : traversal(resultSize), resultSize };
};

const ordered = ['less', 'greater', 'less_equals', 'greater_equals'];

/** Cost estimates of the language's functions, excluding their arguments. Upstream: checker/cost.go. */
const standard: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', format],
  ['string_to_bytes', stringToBytes],
  ['bytes_to_string', bytesToString],
  ['strings_quote', quote],
  ['starts_with_string', ofFirst],
  ['ends_with_string', ofFirst],
  ['in_list', inList],
  ['matches_string', matches],
  ['contains_string', contains],
  ['add_string', concatenation],
  ['add_bytes', concatenation],
  ['add_list', concatenation],
  ['equals', smaller],
  ['not_equals', smaller],
  ...ordered.flatMap((id) => [[`${id}_string`, smaller] as const, [`${id}_bytes`, smaller] as const]),
]);

/** Returns the cost of a call including its arguments, and the size of its result, according to the language's own rules. */
export function standardCost(call: CostedCall, sizes: TrackedSizes, overloadId: string): CallEstimate {
  if (overloadId === 'logical_and' || overloadId === 'logical_or') return { cost: logical(call) };
  if (overloadId === 'conditional') return conditional(call, sizes);
  return withArguments(standard.get(overloadId)?.(call, sizes, overloadId) ?? { cost: one }, call);
}

/** Adds the arguments' costs to the estimate of a call. */
export function withArguments(estimate: CallEstimate, { argCosts }: CostedCall): CallEstimate {
  return { ...estimate, cost: argCosts.reduce(add, estimate.cost) };
}

/** The minimum cost is that of the left side, which is always evaluated. */
function logical({ argCosts: [left = one, right = one] }: CostedCall): Range {
  return { min: left.min, max: add(left, right).max };
}

function conditional({ expr, args, argCosts }: CostedCall, sizes: TrackedSizes): CallEstimate {
  const [, then, otherwise] = args;
  const [condition = one, thenCost = one, otherwiseCost = one] = argCosts;
  const entries = then && otherwise && unionEntries(sizes.entryOf(then.expr), sizes.entryOf(otherwise.expr));
  sizes.setEntry(expr, entries);
  return {
    cost: add(condition, union(thenCost, otherwiseCost)),
    resultSize: union(sizeOrUnknown(then), sizeOrUnknown(otherwise)),
  };
}

import type { Expr } from '../ast/expr.ts';
import type { Type } from '../types/type.ts';
import type { Result, Value } from '../values/value.ts';

/** Go's MaxUint64, the upper limit of sums and products of estimates. */
export const maxEstimate: number = 2 ** 64;

/** cel-go's cost constants (common/cost.go). */
export const stringTraversalFactor = 0.1;
/** The cost of a regular expression by its length. */
export const regexLengthFactor = 0.25;
/** The cost of a field or index. */
export const selectCost = 1;
/** The cost of a list literal. */
export const listCost = 10;
/** The cost of a map literal. */
export const mapCost = 30;
/** The cost of a message literal. */
export const structCost = 40;

/** A range of sizes or of costs, both ends inclusive. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The estimated cost of a call, and the size of its result. */
export interface CallEstimate {
  readonly cost: Range;
  /** The size of the result if the call creates a list, map, string or bytes. */
  readonly resultSize?: Range;
}

/** An argument in cost estimates: upstream's `checker.AstNode`. */
export interface CostNode {
  /** The path from a variable: field names, `@items`, `@keys`, `@values`, `@indices`; empty if there is none. */
  readonly path: readonly string[];
  readonly type: Type;
  readonly expr: Expr;
  /** The size known from the expression itself, such as a literal's. */
  readonly computedSize: Range | undefined;
}

/** Returns the actual cost of a call from its arguments and result. Undefined means the default. */
export type CallCost = (args: readonly Value[], result: Result) => number | undefined;

/**
 * Estimates for the sizes of variables and the costs of functions that are not part of the language. The estimate of a call excludes the
 * costs of its arguments. Undefined means the default. Upstream's `checker.CostEstimator` and `interpreter.ActualCostEstimator`, which
 * `apiserver/pkg/cel/library/cost.go` implements.
 */
export interface CostEstimator {
  estimateSize?(node: CostNode): Range | undefined;
  estimateCall?(
    name: string,
    overloadId: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
  ): CallEstimate | undefined;
  /** Returns the actual cost of a function's calls. The arguments start with the target. */
  callCost?(name: string, overloadId: string): CallCost | undefined;
}

/** Returns the range of one number. */
export function fixed(value: number): Range {
  return { min: value, max: value };
}

/** The range of an unlimited size. */
export const unknownSize: Range = { min: 0, max: maxEstimate };

/** Returns the sum of two ranges, at most `maxEstimate`. */
export function add(a: Range, b: Range): Range {
  return { min: Math.min(a.min + b.min, maxEstimate), max: Math.min(a.max + b.max, maxEstimate) };
}

/** Returns the product of two ranges, at most `maxEstimate`. */
export function multiply(a: Range, b: Range): Range {
  return { min: Math.min(a.min * b.min, maxEstimate), max: Math.min(a.max * b.max, maxEstimate) };
}

/** Multiplies by a factor, rounded up. */
export function scale(a: Range, factor: number): Range {
  return {
    min: Math.min(Math.ceil(a.min * factor), maxEstimate),
    max: Math.min(Math.ceil(a.max * factor), maxEstimate),
  };
}

/** Returns the smallest range that contains both. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

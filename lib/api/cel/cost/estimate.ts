import type { Expr } from '../ast/expr.ts';
import type { Type } from '../types/type.ts';
import type { Result, Value } from '../values/value.ts';

/** Go's MaxUint64, which sums and products of estimates never pass. */
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
  /** Where the call makes a list, map, string or bytes: its size. */
  readonly resultSize?: Range;
}

/** An argument as cost estimates see it; upstream's `checker.AstNode`. */
export interface CostNode {
  /** From a variable down: field names, `@items`, `@keys`, `@values`, `@indices`; empty when not reachable so. */
  readonly path: readonly string[];
  readonly type: Type;
  readonly expr: Expr;
  /** The size that follows from the expression itself, such as a literal's. */
  readonly computedSize: Range | undefined;
}

/** The actual cost of a call, from its arguments and result. Undefined means no opinion. */
export type CallCost = (args: readonly Value[], result: Result) => number | undefined;

/**
 * Estimates that know more than the language: sizes of variables' data, costs of functions. The estimates of calls
 * leave out the arguments' own costs. Undefined means no opinion. Upstream's `checker.CostEstimator` and
 * `interpreter.ActualCostEstimator`, which `apiserver/pkg/cel/library/cost.go` implements.
 */
export interface CostEstimator {
  estimateSize?(node: CostNode): Range | undefined;
  estimateCall?(
    name: string,
    overloadId: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
  ): CallEstimate | undefined;
  /** The actual cost of a function's calls; args start with the target. */
  callCost?(name: string, overloadId: string): CallCost | undefined;
}

/** The range of one number. */
export function fixed(value: number): Range {
  return { min: value, max: value };
}

/** The range of a size that nothing bounds. */
export const unknownSize: Range = { min: 0, max: maxEstimate };

/** The sum of two ranges; it never passes `maxEstimate`. */
export function add(a: Range, b: Range): Range {
  return { min: Math.min(a.min + b.min, maxEstimate), max: Math.min(a.max + b.max, maxEstimate) };
}

/** The product of two ranges; it never passes `maxEstimate`. */
export function multiply(a: Range, b: Range): Range {
  return { min: Math.min(a.min * b.min, maxEstimate), max: Math.min(a.max * b.max, maxEstimate) };
}

/** Times a factor, rounded up. */
export function scale(a: Range, factor: number): Range {
  return {
    min: Math.min(Math.ceil(a.min * factor), maxEstimate),
    max: Math.min(Math.ceil(a.max * factor), maxEstimate),
  };
}

/** The smallest range that holds both. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

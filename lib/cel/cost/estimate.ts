import type { Expr } from '../ast/expr.ts';
import type { Type } from '../types/type.ts';
import type { Result, Value } from '../values/value.ts';

/** Go's MaxUint64, which sums and products of estimates never pass. */
export const maxEstimate: number = 2 ** 64;

/** cel-go's cost constants (common/cost.go). */
export const stringTraversalFactor = 0.1;
export const regexLengthFactor = 0.25;
export const selectCost = 1;
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;

/** A range of sizes or of costs, both ends inclusive. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

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
  /** What the expression itself says of its size. */
  readonly computedSize: Range | undefined;
}

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
  /** What calls of a function that were made cost; args start with the target. */
  callCost?(name: string, overloadId: string): CallCost | undefined;
}

export function fixed(value: number): Range {
  return { min: value, max: value };
}

export const unknownSize: Range = { min: 0, max: maxEstimate };

export function add(a: Range, b: Range): Range {
  return { min: Math.min(a.min + b.min, maxEstimate), max: Math.min(a.max + b.max, maxEstimate) };
}

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

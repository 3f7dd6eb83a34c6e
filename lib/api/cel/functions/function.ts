import type { CallEstimate, CostEstimator, CostNode } from '../cost/estimate.ts';
import type { Type } from '../types/type.ts';
import type { Result, Value } from '../values/value.ts';

/** One signature of a function. */
export interface Overload {
  /** cel-go's or Kubernetes' overload id. */
  readonly id: string;
  /** Whether the function is called on a target. The target's type is the first of `params`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /**
   * The implementation. Arguments (target first) are never errors, and match `params` as far as `guardOf` can check at run time. Returns
   * errors instead of throwing them.
   */
  call(...args: Value[]): Result;
  /** Whether the run-time types of arguments are not checked, like in cel-go with disabled type guards. */
  readonly unguarded?: true;
  /** An estimate that takes precedence over the environment's estimator. It excludes the costs of the arguments. */
  estimate?(
    estimator: CostEstimator,
    target: CostNode | undefined,
    args: readonly CostNode[],
  ): CallEstimate | undefined;
  /** The cost of a completed call. Takes precedence over the environment's estimator. */
  cost?(args: readonly Value[], result: Result): number | undefined;
}

/** A function and its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** Creates an overload with a target: `target.name(args)`. The first of `params` is the target's type. */
export function member(id: string, params: readonly Type[], result: Type, call: Overload['call']): Overload {
  return { id, member: true, params, result, call };
}

/** Creates an overload without a target: `name(args)`. */
export function global(id: string, params: readonly Type[], result: Type, call: Overload['call']): Overload {
  return { id, member: false, params, result, call };
}

/** Declares a function or more overloads of one. */
export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

import type { CheckedExpr } from './ast/checked.ts';
import type { Environment } from './environment.ts';
import { type Activation, costLimitExceeded, Frame } from './interpreter/frame.ts';
import { plan } from './interpreter/planner.ts';
import { CelError, type Result, type Value } from './values/value.ts';

/** The result of one evaluation. */
export interface Evaluation {
  /** Is `costLimitExceeded` if the limit was exceeded. */
  readonly value: Result;
  readonly cost: number;
}

/** A compiled expression that can run any number of times. */
export interface Program {
  /** Evaluates the expression. Stops immediately when the cost limit is exceeded. */
  evaluate(activation: Activation, costLimit?: number): Evaluation;
}

/** Prepares a checked expression. Returns the error of an invalid constant, such as `int('x')`. */
export function program(checked: CheckedExpr, environment: Environment): Program | CelError {
  const { step, slots, faults } = plan(checked, environment);
  if (faults[0]) return faults[0];
  return {
    evaluate(activation, costLimit = Number.MAX_SAFE_INTEGER) {
      const frame = new Frame(activation, slots, costLimit);
      try {
        return { value: step(frame), cost: frame.cost };
      } catch (thrown) {
        if (thrown !== costLimitExceeded) throw thrown;
        return { value: costLimitExceeded, cost: frame.cost };
      }
    },
  };
}

/** Returns an activation whose variables are the record's own fields. */
export function activationOf(variables: Readonly<Record<string, Value>>): Activation {
  const byName = new Map(Object.entries(variables));
  return { resolve: (name) => byName.get(name) };
}

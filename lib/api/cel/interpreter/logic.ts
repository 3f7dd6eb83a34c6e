import { noSuchOverload } from '../values/compare.ts';
import { CelError, Optional, type Result } from '../values/value.ts';
import { attribute, type Plan, readOf, type Step, stepOf } from './frame.ts';

/** `&&` (decided by false) and `||` (decided by true). The deciding value takes precedence over an error on the other side. */
export function logical(left: Plan, right: Plan, deciding: boolean): Plan {
  const [a, b] = [stepOf(left), stepOf(right)];
  return {
    kind: 'call',
    read: (frame) => {
      const x = a(frame);
      if (x === deciding) return deciding;
      const y = b(frame);
      if (y === deciding) return deciding;
      return undecided(x, !deciding) ?? undecided(y, !deciding) ?? !deciding;
    },
  };
}

function undecided(value: Result, neutral: boolean): CelError | undefined {
  if (value === neutral) return undefined;
  return value instanceof CelError ? value : noSuchOverload;
}

/** `c ? a : b`. Its cost is that of the condition and the chosen branch. An attribute in a branch is read for free. */
export function conditional(condition: Plan, then: Plan, otherwise: Plan): Plan {
  const test = stepOf(condition);
  const [a, b] = [readOf(then), readOf(otherwise)];
  return attribute((frame) => {
    const decided = test(frame);
    if (decided === true) return a(frame);
    if (decided === false) return b(frame);
    return decided instanceof CelError ? decided : noSuchOverload;
  }, true);
}

/** Returns true for anything but false, so that errors do not end a comprehension. */
export function notStrictlyFalse(argument: Plan): Plan {
  const step = stepOf(argument);
  return {
    kind: 'call',
    read: (frame) => {
      const holds = step(frame) !== false;
      frame.charge(1);
      return holds;
    },
  };
}

/** `optional.or(other)` and `optional.orValue(value)`, which evaluate their argument only if needed. */
export function optionalOr(left: Plan, right: Plan, unwrap: boolean): Plan {
  const [a, b]: Step[] = [stepOf(left), stepOf(right)];
  return {
    kind: 'call',
    read: (frame) => {
      const first = a?.(frame) ?? null;
      if (!(first instanceof Optional)) return first;
      if (first.value === undefined) return b?.(frame) ?? null;
      return unwrap ? first.value : first;
    },
  };
}

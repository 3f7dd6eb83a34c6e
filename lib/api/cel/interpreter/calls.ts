import type { CostEstimator } from '../cost/estimate.ts';
import { type Coster, costerOf } from '../cost/runtime.ts';
import type { Overload } from '../functions/function.ts';
import { noSuchOverload } from '../values/compare.ts';
import { type Guard, guardOf } from '../values/matches-type.ts';
import { typeOf } from '../values/type-of.ts';
import { CelError, type Result, type Value } from '../values/value.ts';
import { type Frame, type Plan, type Step, stepOf } from './frame.ts';

interface Callee {
  readonly name: string;
  /** The candidate overloads. There is only one if the checker could determine it. */
  readonly overloads: readonly Overload[];
}

/** A function call. Evaluates its arguments first, and returns the first error among them. */
export function call(callee: Callee, args: readonly Plan[], estimator: CostEstimator): Plan {
  const [only] = callee.overloads;
  const coster = costerOf(callee.name, callee.overloads.length === 1 ? only : undefined, estimator);
  const steps = args.map((arg, i) => (i === 1 && PATTERNED.has(callee.name) ? patternStep(arg) : stepOf(arg)));
  return { kind: 'call', read: stepOfCall(dispatcher(callee), steps, coster) };
}

/** Functions whose second argument, after the text, is a regular expression. */
const PATTERNED: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

function patternStep(arg: Plan): Step {
  const step = stepOf(arg);
  if (arg.kind === 'constant') return step;
  return (frame) => {
    const pattern = step(frame);
    if (typeof pattern === 'string') frame.chargePattern(pattern);
    return pattern;
  };
}

type Invoke = (...args: Value[]) => Result;

function stepOfCall(invoke: Invoke, args: readonly Step[], coster: Coster | undefined): Step {
  const [first, second] = args;
  if (args.length === 1 && first) return unary(invoke, first, coster);
  if (args.length === 2 && first && second) return binary(invoke, first, second, coster);
  return (frame) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    const result = invoke(...values);
    frame.charge(coster ? coster(values, result) : 1);
    return result;
  };
}

function unary(invoke: Invoke, arg: Step, coster: Coster | undefined): Step {
  return (frame) => {
    const value = arg(frame);
    const result = value instanceof CelError ? value : invoke(value);
    frame.charge(coster ? coster([value], result) : 1);
    return result;
  };
}

function binary(invoke: Invoke, left: Step, right: Step, coster: Coster | undefined): Step {
  return (frame: Frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = a instanceof CelError ? a : b instanceof CelError ? b : invoke(a, b);
    frame.charge(coster ? coster([a, b], result) : 1);
    return result;
  };
}

/** Calls the overload that matches the arguments at run time. */
export function dispatcher({ name, overloads }: Callee): Invoke {
  const candidates = overloads.map((overload) => ({ overload, fits: fitsOf(overload) }));
  const [only] = candidates;
  if (!only) return () => noSuchOverload;
  if (candidates.length === 1) {
    const { overload, fits } = only;
    if (!fits) return (...args) => overload.call(...args);
    return (...args) => (fits(args) ? overload.call(...args) : noFit(name, args));
  }
  return (...args) => {
    const match = candidates.find(({ fits, overload }) => (fits ? fits(args) : overload.params.length === args.length));
    return match ? match.overload.call(...args) : noFit(name, args);
  };
}

function noFit(name: string, args: readonly Value[]): CelError {
  if (!/^[A-Za-z]/.test(name)) return noSuchOverload;
  return new CelError(`no such overload: ${name}(${args.map((arg) => typeOf(arg).name).join(', ')})`);
}

/** Returns a check of the arguments' run-time types. Undefined if all types are accepted. */
function fitsOf({ params, unguarded }: Overload): ((args: readonly Value[]) => boolean) | undefined {
  if (unguarded === true) return undefined;
  const guards = params.map(guardOf);
  const [first, second] = guards;
  if (guards.every((guard) => guard === undefined)) return undefined;
  if (guards.length === 1 && first) return (args) => first(args[0] ?? null) && args.length === 1;
  if (guards.length === 2 && first && second) {
    return (args) => args.length === 2 && first(args[0] ?? null) && second(args[1] ?? null);
  }
  return (args) => args.length === guards.length && guards.every((guard, i) => holds(guard, args[i] ?? null));
}

function holds(guard: Guard | undefined, value: Value): boolean {
  return guard === undefined || guard(value);
}

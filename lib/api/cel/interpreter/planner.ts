import { type CheckedExpr, type Reference, targetOf } from '../ast/checked.ts';
import type { Call, Comprehension, Expr, Select } from '../ast/expr.ts';
import { accumulator } from '../ast/factory.ts';
import type { Environment } from '../environment.ts';
import type { Overload } from '../functions/function.ts';
import { operators } from '../parser/operators.ts';
import { compileRegex } from '../stdlib/strings.ts';
import { CelError, ListValue, type Value } from '../values/value.ts';
import { index, presence, select } from './attributes.ts';
import { call, dispatcher } from './calls.ts';
import { fold, readAccumulator } from './fold.ts';
import { attribute, type Plan, type Step, stepOf } from './frame.ts';
import { list, map, struct } from './literals.ts';
import { conditional, logical, notStrictlyFalse, optionalOr } from './logic.ts';
import { membership } from './membership.ts';

/** A planned expression. */
export interface Planned {
  readonly step: Step;
  /** The number of slots that a frame needs. */
  readonly slots: number;
  /** Errors in constants: a failing conversion, or an invalid pattern. */
  readonly faults: readonly CelError[];
}

/** Compiles a checked expression to closures. */
export function plan(checked: CheckedExpr, environment: Environment): Planned {
  const planner = new Planner(checked, environment);
  const step = stepOf(planner.plan(checked.expr));
  return { step, slots: planner.slots, faults: planner.faults };
}

const conversions: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/** Functions whose second argument is a pattern. */
const patterns: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

class Planner {
  slots = 0;
  readonly faults: CelError[] = [];
  readonly #checked: CheckedExpr;
  readonly #environment: Environment;
  /** The steps that read the variables of the surrounding comprehensions. */
  #locals: ReadonlyMap<string, Step> = new Map();

  constructor(checked: CheckedExpr, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return { kind: 'constant', value: expr.value };
      case 'ident':
        return this.#name(this.#checked.references.get(expr.id), expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return list(
          expr.elements.map((element) => this.plan(element)),
          expr.optional,
        );
      case 'map':
        return map(
          expr.entries.map((entry) => ({ ...entry, key: this.plan(entry.key), value: this.plan(entry.value) })),
        );
      case 'struct': {
        const fields = expr.fields.map((field) => ({ ...field, value: this.plan(field.value) }));
        return struct(this.#checked.references.get(expr.id)?.name ?? expr.typeName, fields, this.#environment.types);
      }
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #name(reference: Reference | undefined, name: string): Plan {
    if (reference?.kind === 'constant') return { kind: 'constant', value: reference.value };
    const resolved = reference?.name ?? name;
    const declared = this.#locals.get(resolved);
    return attribute(declared ?? variable(resolved));
  }

  #select(expr: Select): Plan {
    const reference = this.#checked.references.get(expr.id);
    if (reference) return this.#name(reference, reference.name);
    const operand = this.plan(expr.operand);
    return expr.testOnly ? presence(operand, expr.field) : select(operand, expr.field, false);
  }

  #call(expr: Call): Plan {
    const reference = this.#checked.references.get(expr.id);
    const target = targetOf(this.#checked, expr);
    const args = [...(target ? [target] : []), ...expr.args].map((arg) => this.plan(arg));
    const name = reference?.name ?? expr.name;
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    return this.#special(name, args, overloads) ?? this.#ordinary(name, args, overloads);
  }

  /** Plans operators that are not simple calls. */
  #special(name: string, args: readonly Plan[], overloads: readonly Overload[]): Plan | undefined {
    const [first, second, third] = args;
    if (!first) return undefined;
    if (name === operators.notStrictlyFalse) return notStrictlyFalse(first);
    if (!second) return undefined;
    switch (name) {
      case operators.and:
        return logical(first, second, false);
      case operators.or:
        return logical(first, second, true);
      case operators.conditional:
        return third && conditional(first, second, third);
      case operators.index:
        return index(first, second, false);
      case operators.optIndex:
      case operators.optSelect:
        return index(first, second, true);
      case operators.in:
        return this.#membership(first, second, overloads);
      case 'or':
      case 'orValue':
        return overloads.every(({ id }) => id.startsWith('optional_or'))
          ? optionalOr(first, second, name === 'orValue')
          : undefined;
      default:
        return undefined;
    }
  }

  #membership(value: Plan, range: Plan, overloads: readonly Overload[]): Plan | undefined {
    const inList = overloads.length === 1 && overloads[0]?.id === 'in_list';
    if (!inList || range.kind !== 'constant' || !(range.value instanceof ListValue)) return undefined;
    return membership(value, range.value);
  }

  #ordinary(name: string, args: readonly Plan[], overloads: readonly Overload[]): Plan {
    const [first, second] = args;
    if (args.length === 1 && first?.kind === 'constant' && conversions.has(name)) {
      const value = dispatcher({ name, overloads })(first.value);
      if (!(value instanceof CelError)) return { kind: 'constant', value };
      this.faults.push(value);
    }
    if (patterns.has(name) && second?.kind === 'constant' && typeof second.value === 'string') {
      const regex = compileRegex(second.value);
      if (regex instanceof CelError) this.faults.push(regex);
    }
    return call({ name, overloads }, args, this.#environment.estimator);
  }

  #comprehension(expr: Comprehension): Plan {
    const range = stepOf(this.plan(expr.iterRange));
    const start = stepOf(this.plan(expr.accuInit));
    const outer = this.#locals;
    const slot = this.slots++;
    const withAccumulator = new Map(outer);
    withAccumulator.set(expr.accuVar, readAccumulator(slot, start, expr.accuVar === accumulator));
    const first = this.slots++;
    const second = expr.iterVar2 === undefined ? undefined : this.slots++;
    const inner = new Map(withAccumulator).set(expr.iterVar, local(first));
    if (expr.iterVar2 !== undefined && second !== undefined) inner.set(expr.iterVar2, local(second));
    this.#locals = inner;
    const condition = stepOf(this.plan(expr.loopCondition));
    const step = stepOf(this.plan(expr.loopStep));
    this.#locals = withAccumulator;
    const result = stepOf(this.plan(expr.result));
    this.#locals = outer;
    return { kind: 'call', read: fold({ range, condition, step, result, accumulator: slot, first, second }) };
  }
}

function local(slot: number): Step {
  return (frame) => frame.slots[slot] ?? null;
}

function variable(name: string): Step {
  const missing = new CelError(`no such attribute(s): ${name}`);
  return (frame) => {
    const value: Value | undefined = frame.activation.resolve(name);
    return value === undefined ? missing : value;
  };
}

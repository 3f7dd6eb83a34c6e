import { listCost, mapCost, structCost } from '../cost/estimate.ts';
import type { TypeProvider } from '../types/provider.ts';
import { noSuchOverload } from '../values/compare.ts';
import { listOf } from '../values/list.ts';
import { keyOf, mapOf } from '../values/map.ts';
import { textOf } from '../values/text-of.ts';
import { typeOf } from '../values/type-of.ts';
import { CelError, Optional, type Result, type Value } from '../values/value.ts';
import { type Frame, type Plan, type Step, stepOf } from './frame.ts';

/** Plans a list literal. A list of constants is a constant. */
export function list(elements: readonly Plan[], optional: readonly number[]): Plan {
  if (optional.length === 0 && elements.every((element) => element.kind === 'constant')) {
    return { kind: 'constant', value: listOf(elements.map((element) => element.value)) };
  }
  const steps = elements.map(stepOf);
  const isOptional = steps.map((_, i) => optional.includes(i));
  return made(listCost, (frame) => {
    const values: Value[] = [];
    for (let i = 0; i < steps.length; i++) {
      const value = steps[i]?.(frame) ?? null;
      if (value instanceof CelError) return value;
      if (!isOptional[i]) values.push(value);
      else if (!(value instanceof Optional)) return notOptional('list element', value);
      else if (value.value !== undefined) values.push(value.value);
    }
    return listOf(values);
  });
}

function notOptional(what: string, value: Value): CelError {
  return new CelError(`cannot initialize optional ${what} from non-optional value ${textOf(value)}`);
}

function made(cost: number, make: Step): Plan {
  return {
    kind: 'call',
    read: (frame) => {
      const result = make(frame);
      frame.charge(cost);
      return result;
    },
  };
}

/** The plans of a map literal's entry. */
export interface EntryPlan {
  readonly key: Plan;
  readonly value: Plan;
  readonly optional: boolean;
}

/** Plans a map literal. A map of constants is a constant. */
export function map(entries: readonly EntryPlan[]): Plan {
  const steps = entries.map(({ key, value, optional }) => ({ key: stepOf(key), value: stepOf(value), optional }));
  const make = (frame: Frame) => mapFrom(frame, steps);
  const constants = entries.flatMap(({ key, value, optional }) =>
    key.kind === 'constant' && value.kind === 'constant' && !optional ? [[key.value, value.value] as const] : [],
  );
  const keysFit = constants.every(([key]) => keyOf(key) !== undefined);
  return constants.length === entries.length && keysFit
    ? { kind: 'constant', value: mapOf(constants) }
    : made(mapCost, make);
}

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

function mapFrom(frame: Frame, entries: readonly EntrySteps[]): Result {
  const pairs: (readonly [Value, Value])[] = [];
  for (const entry of entries) {
    const key = entry.key(frame);
    if (key instanceof CelError) return key;
    if (keyOf(key) === undefined) return new CelError(`unsupported key type: ${typeOf(key).name}`);
    const value = entry.value(frame);
    if (value instanceof CelError) return value;
    const kept = entry.optional ? fromOptional(textOf(key), value) : value;
    if (kept instanceof CelError) return kept;
    if (kept !== undefined) pairs.push([key, kept]);
  }
  return mapOf(pairs);
}

function fromOptional(entry: string, value: Value): Result | undefined {
  return value instanceof Optional ? value.value : notOptional(`entry '${entry}'`, value);
}

/** The plan of a message literal's field. */
export interface FieldPlan {
  readonly name: string;
  readonly value: Plan;
  readonly optional: boolean;
}

/** `Name{field: value}`. */
export function struct(typeName: string, fields: readonly FieldPlan[], types: TypeProvider | undefined): Plan {
  const steps = fields.map(({ name, value, optional }) => ({ name, value: stepOf(value), optional }));
  return made(structCost, (frame) => {
    const values = new Map<string, Value>();
    for (const { name, value, optional } of steps) {
      const result = value(frame);
      const kept = optional && !(result instanceof CelError) ? fromOptional(name, result) : result;
      if (kept instanceof CelError) return kept;
      if (kept !== undefined) values.set(name, kept);
    }
    return types?.newValue?.(typeName, values) ?? noSuchOverload;
  });
}

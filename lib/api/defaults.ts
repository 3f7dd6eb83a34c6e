import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import { findKind } from './kinds.ts';
import { type FieldFacts, typeFacts } from './types.ts';
import type { ValueFacts } from './values.ts';

/** The defaults of one type: its constant defaults, and the fields whose values have defaults. */
interface Plan {
  readonly constants: readonly FieldFacts[];
  readonly inner: readonly (readonly [field: string, type: string])[];
}

const plans = new Map<string, Plan>();

/**
 * Applies the constant defaults from the schema, like upstream's generated defaults. Changes `object` in place. The kind's strategy sets
 * defaults that depend on other fields.
 */
export function applyDefaults(gvk: GroupVersionKind, object: JsonObject): void {
  const type = findKind(gvk);
  if (type !== undefined) fill(type.name, object);
}

function fill(type: string, object: JsonObject): void {
  const { constants, inner } = planOf(type);
  for (const field of constants) if (isUnset(field, object[field.name])) object[field.name] = field.default as Json;
  for (const [name, element] of inner) eachStruct(object[name], (item) => fill(element, item));
}

/** Whether a field is unset. A pointer is unset if it is absent. Any other field is also unset if it has its zero value. */
function isUnset({ pointer }: FieldFacts, value: Json | undefined): boolean {
  return value === undefined || value === null || (!pointer && (value === '' || value === 0 || value === false));
}

function eachStruct(value: Json | undefined, visit: (item: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) eachStruct(item, visit);
  else if (isObject(value)) visit(value);
}

function planOf(type: string): Plan {
  let plan = plans.get(type);
  if (plan === undefined) {
    plan = { constants: [], inner: [] };
    plans.set(type, plan);
    plan = { constants: typeFacts(type).fields.filter(hasConstant), inner: innerFields(type) };
    plans.set(type, plan);
  }
  return plan;
}

/** Whether a field has a constant default. A default equal to the zero value only has an effect for a pointer. */
function hasConstant({ default: value, pointer, required }: FieldFacts): boolean {
  if (value === undefined || isObject(value)) return false;
  return (pointer && !required) || (value !== '' && value !== 0 && value !== false);
}

function innerFields(type: string): [string, string][] {
  return typeFacts(type).fields.flatMap(({ name, value }) => {
    const element = structOf(value);
    if (element === undefined || element === type) return [];
    const plan = planOf(element);
    return plan.constants.length + plan.inner.length > 0 ? [[name, element]] : [];
  });
}

/** The struct type of a value or of a list's items. No map of structs has defaults. */
function structOf(value: ValueFacts): string | undefined {
  if (value.form === 'struct') return value.type;
  return value.form === 'list' ? structOf(value.of) : undefined;
}

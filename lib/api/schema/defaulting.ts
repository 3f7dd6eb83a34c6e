import { clone, isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { DefaultBudget, defaultedProperties } from './default-budget.ts';
import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';
import { traitsOf } from './traits.ts';

/**
 * Upstream's `Default`: fills in default values in place. A null also gets the default if the schema is not nullable. Runs after
 * `pruneNulls`. Idempotent. Returns false, and leaves the value as it was, if the defaults exceed the budget.
 */
export function applyDefaults(value: Json, schema: Structural | undefined, budget = new DefaultBudget()): boolean {
  fill(value, schema, budget);
  if (budget.isExceeded) budget.revert();
  return !budget.isExceeded;
}

function fill(value: Json, schema: Structural | undefined, budget: DefaultBudget): void {
  if (schema === undefined || value === null || typeof value !== 'object') return;
  if (budget.isExceeded || !traitsOf(schema).defaults) return;
  if (Array.isArray(value)) fillItems(value, schema.items, budget);
  else {
    fillFields(value, schema, budget);
    fillInside(value, schema, budget);
  }
}

function fillFields(value: JsonObject, schema: Structural, budget: DefaultBudget): void {
  for (const [name, property] of defaultedProperties(schema)) {
    const isMissing = !Object.hasOwn(value, name) || isForbiddenNull(value[name], property);
    if (isMissing && budget.take(property, name)) fillField(value, name, property, budget);
  }
}

function fillField(value: JsonObject, name: string, property: Structural, budget: DefaultBudget): void {
  const isNull = Object.hasOwn(value, name);
  setField(value, name, clone(property.default ?? null));
  budget.filled(() => {
    if (isNull) setField(value, name, null);
    else delete value[name];
  });
}

function fillInside(value: JsonObject, schema: Structural, budget: DefaultBudget): void {
  const additional = additionalSchema(schema);
  for (const name in value) {
    const property = schema.properties?.get(name);
    if (property === undefined && additional !== undefined && isForbiddenNull(value[name], additional)) {
      if (budget.take(additional)) fillField(value, name, additional, budget);
    }
    fill(value[name] as Json, property ?? additional, budget);
  }
}

function fillItems(value: Json[], items: Structural | undefined, budget: DefaultBudget): void {
  for (let i = 0; i < value.length; i++) {
    const isReplaced = items !== undefined && isForbiddenNull(value[i], items) && budget.take(items);
    if (isReplaced) {
      value[i] = clone(items.default ?? null);
      budget.filled(() => void (value[i] = null));
    }
    fill(value[i] as Json, items, budget);
  }
}

const isForbiddenNull = (value: Json | undefined, schema: Structural): boolean =>
  value === null && schema.nullable !== true;

/**
 * Upstream's `PruneNonNullableNullsWithoutDefaults`: removes null fields that are not nullable and have no default. With `untypedOnly`,
 * keeps nulls that validation rejects.
 */
export function pruneNulls(value: Json, schema: Structural | undefined, untypedOnly = false): void {
  if (schema === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value) pruneNulls(item, schema.items, untypedOnly);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) pruneNullField(value, name, schema, untypedOnly);
  }
}

function pruneNullField(value: JsonObject, name: string, schema: Structural, untypedOnly: boolean): void {
  const field = schema.properties?.get(name) ?? additionalSchema(schema);
  const item = value[name] as Json;
  const forbidden = field !== undefined && isForbiddenNull(item, field) && field.default === undefined;
  if (forbidden && !(untypedOnly && isTyped(field))) delete value[name];
  else pruneNulls(item, field, untypedOnly);
}

const isTyped = ({ type, intOrString }: Structural): boolean => type !== undefined || intOrString === true;

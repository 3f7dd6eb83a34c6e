import { marshal } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import { duplicate, type FieldError, invalid } from '#lib/machinery/validation/field.ts';
import { childField, itemField, keyField } from './fields.ts';
import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/** Returns the keys of a list of type map that the item has. */
function keysOf(schema: Structural, item: JsonObject): JsonObject {
  const keys: JsonObject = {};
  for (const name of schema.listMapKeys ?? []) {
    const value = ownField(item, name);
    if (value !== undefined) setField(keys, name, value);
  }
  return keys;
}

/**
 * Returns a text that is equal for items with equal keys. Undefined if a key is missing or not a scalar, because such an item equals no
 * other.
 */
export function mapListKey(schema: Structural, item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  const keys = keysOf(schema, item);
  const values = Object.values(keys);
  const isWhole = values.length > 0 && values.length === schema.listMapKeys?.length;
  return isWhole && values.every((value) => value !== null && typeof value !== 'object') ? marshal(keys) : undefined;
}

/** Upstream's `ValidateListSetsAndMaps`: items of sets and keys of maps are unique. Reports each duplicate once. */
export function validateListTypes(
  schema: Structural | undefined,
  value: Json | undefined,
  field?: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (schema !== undefined && value !== undefined) visit(schema, value, field, errors);
  return errors;
}

function visit(schema: Structural, value: Json, field: string | undefined, errors: FieldError[]): void {
  if (Array.isArray(value)) visitList(schema, value, field ?? '', errors);
  else if (isObject(value)) visitObject(schema, value, field, errors);
}

function visitObject(schema: Structural, value: JsonObject, field: string | undefined, errors: FieldError[]): void {
  const additional = additionalSchema(schema);
  if (additional === undefined && schema.properties === undefined) return;
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    if (item === null || typeof item !== 'object') continue;
    if (additional !== undefined) visit(additional, item, keyField(field, name), errors);
    const property = schema.properties?.get(name);
    if (property !== undefined) visit(property, item, childField(field, name), errors);
  }
}

function visitList(schema: Structural, items: readonly Json[], field: string, errors: FieldError[]): void {
  if (schema.listType === 'set') {
    for (const i of duplicates(items)) errors.push(duplicate(itemField(field, i), items[i]));
  } else if (schema.listType === 'map') {
    for (const error of mapErrors(schema, items, field)) errors.push(error);
  }
  if (schema.items === undefined) return;
  for (const [i, item] of items.entries()) {
    if (item !== null && typeof item === 'object') visit(schema.items, item, itemField(field, i), errors);
  }
}

function mapErrors(schema: Structural, items: readonly Json[], field: string): FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) {
    return [invalid(itemField(field, wrong), items[wrong], 'must be an object for an array of list-type map')];
  }
  const keys = items.map((item) => (isObject(item) ? keysOf(schema, item) : {}));
  return duplicates(keys).map((i) => duplicate(itemField(field, i), keys[i]));
}

/** Returns the index of the second occurrence of each duplicate value. */
function duplicates(items: readonly Json[]): number[] {
  if (items.length < 2) return [];
  const seen = new Map<Json, number>();
  const found: number[] = [];
  for (const [i, item] of items.entries()) {
    const identity = identityOf(item);
    const times = seen.get(identity) ?? 0;
    if (times === 1) found.push(i);
    seen.set(identity, times + 1);
  }
  return found;
}

/** Returns a value's identity: a scalar itself, or the text of a compound value with a mark, so that no string equals it. */
function identityOf(item: Json): Json {
  return item !== null && typeof item === 'object' ? `\u0000${marshal(item)}` : item;
}

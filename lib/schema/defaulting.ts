import { clone, isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';
import { traitsOf } from './traits.ts';

/**
 * Upstream's `Default`: fills in default values in place, also for null where the schema is not nullable. Runs behind
 * `pruneNulls`. Idempotent.
 */
export function applyDefaults(value: Json, schema: Structural | undefined): void {
  if (schema === undefined || value === null || typeof value !== 'object' || !traitsOf(schema).defaults) return;
  if (Array.isArray(value)) defaultItems(value, schema.items);
  else {
    defaultFields(value, schema);
    defaultInside(value, schema);
  }
}

function defaultFields(value: JsonObject, schema: Structural): void {
  if (schema.properties === undefined) return;
  for (const [name, property] of schema.properties) {
    if (property.default === undefined) continue;
    if (!Object.hasOwn(value, name) || isForbiddenNull(value[name], property))
      setField(value, name, clone(property.default));
  }
}

function defaultInside(value: JsonObject, schema: Structural): void {
  const additional = additionalSchema(schema);
  for (const name of Object.keys(value)) {
    const property = schema.properties?.get(name);
    if (property === undefined && additional !== undefined && isForbiddenNull(value[name], additional)) {
      setField(value, name, clone(additional.default ?? null));
    }
    applyDefaults(value[name] as Json, property ?? additional);
  }
}

function defaultItems(value: Json[], items: Structural | undefined): void {
  for (let i = 0; i < value.length; i++) {
    if (items !== undefined && isForbiddenNull(value[i], items)) value[i] = clone(items.default ?? null);
    applyDefaults(value[i] as Json, items);
  }
}

const isForbiddenNull = (value: Json | undefined, schema: Structural): boolean =>
  value === null && schema.nullable !== true;

/**
 * Upstream's `PruneNonNullableNullsWithoutDefaults`: removes fields that are null, may not be and have no default.
 * `untypedOnly` leaves those that validation refuses.
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

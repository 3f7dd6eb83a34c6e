import { noteEmpty } from '#lib/machinery/empties.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import { findKind } from '../kinds.ts';
import { type FieldFacts, type TypeFacts, typeFacts } from '../types.ts';
import type { ValueFacts } from '../values.ts';

/**
 * Changes the object in place to what upstream reads back from storage. Protobuf does not distinguish an empty list or map from an absent
 * one, so a field that is always encoded becomes null.
 */
export function readBack(gvk: GroupVersionKind, object: JsonObject): void {
  const type = findKind(gvk);
  if (type !== undefined) visitStruct(type, object);
}

const relevant = new Map<TypeFacts, readonly FieldFacts[]>();

/** The fields that can become null or contain such fields. */
function relevantFields(type: TypeFacts): readonly FieldFacts[] {
  let fields = relevant.get(type);
  if (fields === undefined) {
    relevant.set(type, []);
    fields = type.fields.filter(({ value, always, pointer }) => (always && !pointer && isMany(value)) || leads(value));
    relevant.set(type, fields);
  }
  return fields;
}

const isMany = ({ form }: ValueFacts): boolean => form === 'list' || form === 'map';

function leads(value: ValueFacts): boolean {
  if (value.form === 'struct') return relevantFields(typeFacts(value.type)).length > 0;
  return value.form === 'list' || value.form === 'map' ? leads(value.of) : false;
}

function visitStruct(type: TypeFacts, object: JsonObject): void {
  for (const field of relevantFields(type)) {
    const value = object[field.name];
    if (value === undefined || value === null) continue;
    if (field.always && !field.pointer && isMany(field.value) && isNone(value)) {
      object[field.name] = null;
      noteEmpty(object, field.name);
    } else visit(field.value, value);
  }
}

function visit(facts: ValueFacts, value: Json): void {
  if (facts.form === 'struct' && isObject(value)) visitStruct(typeFacts(facts.type), value);
  else if (facts.form === 'list' && Array.isArray(value)) for (const item of value) visit(facts.of, item);
  else if (facts.form === 'map' && isObject(value))
    for (const key of Object.keys(value)) visit(facts.of, value[key] ?? null);
}

const isNone = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

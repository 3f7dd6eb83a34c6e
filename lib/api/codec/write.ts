import { noteEmpty } from '#lib/machinery/empties.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { type FieldFacts, type TypeFacts, typeFacts } from '../types.ts';
import type { ValueFacts } from '../values.ts';
import { isEmpty, zeroScalar } from './zero.ts';

/** Writes a struct like Go's encoder. `values` is indexed by field. Undefined means the zero value. */
export function writeStruct({ fields }: TypeFacts, values: readonly (Json | undefined)[]): JsonObject {
  const object: JsonObject = {};
  for (const field of fields) {
    const held = values[field.index];
    const written = writeField(field, held);
    const value = field.value.form === 'map' && isObject(written) ? sorted(written) : written;
    if (value !== undefined) object[field.name] = value;
    else if (isEmptyCollection(held)) noteEmpty(object, field.name);
  }
  return object;
}

/** Rewrites one field of an already written struct. Maps keep their order. */
export function rewriteField(object: JsonObject, field: FieldFacts, held: Json | undefined): void {
  const written = writeField(field, held);
  if (written !== undefined) object[field.name] = written;
  else {
    delete object[field.name];
    if (isEmptyCollection(held)) noteEmpty(object, field.name);
  }
}

const isEmptyCollection = (held: Json | undefined): boolean =>
  typeof held === 'object' && held !== null && Object.keys(held).length === 0;

function writeField({ value, pointer, always, omitZero }: FieldFacts, held: Json | undefined): Json | undefined {
  if (pointer) return held === undefined && always ? null : held;
  if (held === undefined) return (value.form === 'struct' || always) && !omitZero ? zeroValue(value) : undefined;
  if (omitZero && held === null) return undefined;
  if (!always && isEmpty(held, value)) return undefined;
  return held;
}

/** The map sorted by key, like Go's encoding. */
function sorted(map: JsonObject): JsonObject {
  const keys = Object.keys(map);
  if (keys.every((key, i) => i === 0 || (keys[i - 1] as string) < key)) return map;
  const copy: JsonObject = {};
  for (const key of keys.sort()) setField(copy, key, map[key] as Json);
  return copy;
}

/** Go's zero value in its encoded form. Each call returns a new value, which the caller owns. */
export function zeroValue(facts: ValueFacts): Json {
  return facts.form === 'struct' ? writeStruct(typeFacts(facts.type), []) : zeroScalar(facts);
}

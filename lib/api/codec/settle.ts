import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import { findKind } from '../kinds.ts';
import { type TypeFacts, typeFacts } from '../types.ts';
import type { ValueFacts } from '../values.ts';
import { aState, decodeValue, type State } from './decode.ts';
import { rewriteField, zeroValue } from './write.ts';

/**
 * Decodes, in place, only the parts of an already decoded object that a patch changed: the parts that `patch` names, and whole lists. Other
 * parts are neither read nor sorted. The object must not share the maps that the patch names. Throws like `decodeTyped`. Removes fields
 * that the kind does not have.
 */
export function settleTyped(gvk: GroupVersionKind, object: JsonObject, patch: JsonObject): void {
  const type = findKind(gvk);
  if (type === undefined) throw new TypeError(`no type for ${gvk.kind}`);
  const state = aState();
  settleStruct(type, object, patch, state);
  state.context.finish();
}

function settleStruct(type: TypeFacts, object: JsonObject, patch: JsonObject, state: State): void {
  for (const key of Object.keys(patch)) {
    if (!Object.hasOwn(object, key)) continue;
    const field = type.field.get(key);
    if (field === undefined) {
      delete object[key];
      continue;
    }
    const [held, given] = [object[key] as Json, patch[key] as Json];
    state.context.enterField(type, field);
    const settled = settleValue(field.value, held, given, state);
    if (settled !== held || !sharesField(held, given)) rewriteField(object, field, settled);
    state.context.leave();
  }
}

/**
 * Whether a struct or map contains a field of the patch, which means that it is not empty. A direct check for emptiness takes longer for
 * larger objects.
 */
function sharesField(held: Json, patch: Json): boolean {
  if (!isObject(held) || !isObject(patch)) return false;
  return Object.keys(patch).some((key) => Object.hasOwn(held, key));
}

/** Decodes a value that the patch replaced completely. Otherwise recurses into its fields. */
function settleValue(facts: ValueFacts, value: Json, patch: Json, state: State): Json | undefined {
  if (value === patch || !isObject(value) || !isObject(patch)) return decodeValue(facts, value, state);
  if (facts.form === 'struct') settleStruct(typeFacts(facts.type), value, patch, state);
  else if (facts.form === 'map') settleMap(facts.of, value, patch, state);
  else return decodeValue(facts, value, state);
  return value;
}

function settleMap(facts: ValueFacts, map: JsonObject, patch: JsonObject, state: State): void {
  for (const key of Object.keys(patch)) {
    if (!Object.hasOwn(map, key)) continue;
    const held = map[key] as Json;
    state.context.enterItem(key);
    const settled = settleValue(facts, held, patch[key] as Json, state) ?? zeroValue(facts);
    if (settled !== held) setField(map, key, settled);
    state.context.leave();
  }
}

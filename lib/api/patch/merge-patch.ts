import { badRequest } from '#lib/machinery/errors.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { clone, isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import { holdsLiterals, opaque, transparent } from './opaque-literals.ts';

/**
 * Applies an RFC 7386 merge patch to a copy of `document`. Like upstream, it drops nulls inside new values, including objects in new
 * arrays. An array that replaces an object is kept unchanged. Throws BadRequest if `patch` is not an object.
 */
export function applyMergePatch(document: JsonObject, patch: Json): JsonObject {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(patch)) {
    const kind = jsonKind(patch);
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  }
  if (!holdsLiterals(patch)) return mergeObjects(document, patch);
  return transparent(mergeObjects(document, opaque(patch)));
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const field of Object.keys(document)) {
    if (!Object.hasOwn(patch, field)) setField(merged, field, clone(document[field] as Json));
    else if (patch[field] !== null) setField(merged, field, mergeValue(document[field] as Json, patch[field] as Json));
  }
  for (const field of Object.keys(patch)) {
    const value = patch[field] as Json;
    if (value !== null && ownField(document, field) === undefined) setField(merged, field, withoutNulls(value));
  }
  return merged;
}

function mergeValue(current: Json, patch: Json): Json {
  if (!isObject(current)) return withoutNulls(patch);
  return isObject(patch) ? mergeObjects(current, patch) : clone(patch);
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const field of Object.keys(value)) {
    if (value[field] !== null) setField(kept, field, withoutNulls(value[field] as Json));
  }
  return kept;
}

import { goType } from '#lib/machinery/go-values.ts';
import { clone, isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import {
  applyDirective,
  DELETE_FROM_LIST,
  ELEMENT_ORDER,
  fieldOf,
  PATCH,
  retainKeys,
  withoutDirectives,
  withoutNulls,
} from './directives.ts';
import { type FieldPatch, lookupSlice, lookupStruct } from './lookup.ts';
import { deleteFromList, mergeList, orderAfterMerge } from './merge-lists.ts';
import { checkElementOrder, interleave, itemKind, listOrThrow, partition } from './order.ts';
import type { PatchSchema } from './schema.ts';

/**
 * Applies a strategic merge patch to a copy of `document`. Throws BadRequest for malformed directives, `rejected` for lists of lists, and a
 * 500 with upstream's text for every other error of the patch.
 */
export function strategicMergePatch(document: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  return strategicMerge(clone(document), clone(patch), schema);
}

/**
 * Like `strategicMergePatch`, but without copies. Changes the document, and leaves those parts in the patch that upstream's errors show.
 */
export function strategicMerge(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  const directive = ownField(patch, PATCH);
  if (directive !== undefined) return applyDirective(directive, patch);
  retainKeys(original, patch);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(ELEMENT_ORDER)) applyElementOrder(original, patch, key, schema);
  }
  for (const key of Object.keys(patch)) mergeField(original, key, patch[key] as Json, schema);
  return original;
}

function mergeField(original: JsonObject, key: string, patch: Json, schema: PatchSchema): void {
  const deletes = key.startsWith(DELETE_FROM_LIST);
  const field = deletes ? fieldOf(key, DELETE_FROM_LIST) || key : key;
  const live = ownField(original, field);
  if (patch === null) delete original[field];
  else if (live === undefined || goType(live) !== goType(patch)) {
    if (!deletes) put(original, field, withoutDirectives(withoutNulls(patch)));
  } else if (isObject(live)) setField(original, field, mergeObjectField(live, patch as JsonObject, field, schema));
  else if (Array.isArray(live)) {
    const found = lookupSlice(schema, field);
    setField(original, field, mergeListField(live, patch as Json[], found, deletes));
  } else put(original, field, withoutDirectives(patch));
}

function put(object: JsonObject, field: string, value: Json | undefined): void {
  if (value === undefined) delete object[field];
  else setField(object, field, value);
}

function mergeObjectField(live: JsonObject, patch: JsonObject, field: string, schema: PatchSchema): JsonObject {
  const found = lookupStruct(schema, field);
  return found.strategy === 'replace' ? patch : strategicMerge(live, patch, found.schema);
}

function mergeListField(original: Json[], patch: Json[], field: FieldPatch, deletes: boolean): Json[] {
  const list = { schema: field.schema, mergeKey: field.mergeKey, mergeObjects: strategicMerge };
  if (deletes) return deleteFromList(original, patch, list);
  return field.strategy === 'merge' ? mergeList({ ...list, original, patch }) : patch;
}

/** Merges the list of `$setElementOrder/…` and sorts it in that order. Removes both fields from the patch. */
function applyElementOrder(original: JsonObject, patch: JsonObject, key: string, schema: PatchSchema): void {
  const order = listOrThrow(patch[key] as Json);
  delete patch[key];
  const name = fieldOf(key, ELEMENT_ORDER);
  const [live, given] = [listAt(original, name), listAt(patch, name)];
  const field = lookupSlice(schema, name);
  checkElementOrder(given ?? [], order, field.mergeKey);
  const merged = mergedFor(live, given, field);
  if (merged === undefined) return;
  const [patched, serverOnly] = partition(merged, order, field.mergeKey);
  const kind = itemKind(live ?? [], given ?? []);
  const merges = field.strategy === 'merge' && live !== undefined && given !== undefined;
  const serverOrder = merges ? orderAfterMerge(live, given, field.mergeKey) : (live ?? []);
  const parts = { patched, serverOnly, patchOrder: order, serverOrder, mergeKey: field.mergeKey, kind };
  setField(original, name, interleave(parts));
  delete patch[name];
}

function listAt(object: JsonObject, field: string): Json[] | undefined {
  const value = ownField(object, field);
  return value === undefined ? undefined : listOrThrow(value);
}

function mergedFor(live: Json[] | undefined, given: Json[] | undefined, field: FieldPatch): Json[] | undefined {
  if (given === undefined) return live;
  if (live === undefined) return withoutDirectives(given) as Json[];
  return mergeListField(live, given, field, false);
}

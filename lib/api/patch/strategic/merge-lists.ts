import { unclassified } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { PATCH } from './directives.ts';
import { identity, indexOf, interleave, itemKind, partition, requireKey } from './order.ts';
import { noMergeKey, unknownDirective } from './refusals.ts';
import type { PatchSchema } from './schema.ts';

/** Merges one object into another. It is a parameter because lists and objects nest in each other. */
type MergeObjects = (original: JsonObject, patch: JsonObject, schema: PatchSchema) => JsonObject;

interface ListPatch {
  readonly original: Json[];
  readonly patch: Json[];
  readonly schema: PatchSchema;
  readonly mergeKey: string;
  readonly mergeObjects: MergeObjects;
}

/** Merges a list with the strategy merge: objects by merge key, scalars as a set. */
export function mergeList(list: ListPatch): Json[] {
  const { original, patch, mergeKey } = list;
  if (original.length === 0 && patch.length === 0) return original;
  if (itemKind(original, patch) !== 'map') {
    const merged = [...new Set([...original, ...patch])];
    return ordered(merged, patch, original, { mergeKey, kind: 'scalar' });
  }
  if (mergeKey === '') throw unclassified(`cannot merge lists without merge key for ${list.schema.kind}`);
  const { live, items } = applyItemDirectives(original, patch, mergeKey);
  return ordered(mergeItems({ ...list, original: live, patch: items }), items, live, { mergeKey, kind: 'map' });
}

type ListKind = { readonly mergeKey: string; readonly kind: string };

function ordered(merged: Json[], patch: readonly Json[], original: readonly Json[], list: ListKind): Json[] {
  const [patched, serverOnly] = partition(merged, patch, list.mergeKey);
  return interleave({ patched, serverOnly, patchOrder: patch, serverOrder: original, ...list });
}

/** Removes scalars from a list, regardless of the field's strategy. */
export function deleteFromList(original: Json[], patch: Json[], list: Omit<ListPatch, 'original' | 'patch'>): Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (itemKind(original, patch) === 'map') return mergeList({ ...list, original, patch });
  const gone = new Set(patch);
  return original.filter((item) => !gone.has(item));
}

interface Directed {
  readonly live: Json[];
  readonly items: Json[];
  readonly replaces: boolean;
}

/**
 * Applies item directives: `$patch: delete` removes items of the live list, and a `$patch: replace` replaces the whole list with the
 * patch's items.
 */
function applyItemDirectives(original: Json[], patch: Json[], mergeKey: string): Directed {
  const deleted = new Set<Json>();
  const items: Json[] = [];
  let replaces = false;
  for (const item of patch) {
    const directive = isObject(item) ? ownField(item, PATCH) : undefined;
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') deleted.add(requireKey(item, mergeKey));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw unclassified('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, item as JsonObject);
  }
  if (replaces) return { live: items, items: [], replaces };
  return { live: original.filter((item) => !deleted.has(identity(item, mergeKey) as Json)), items, replaces };
}

/**
 * Returns the order of the live list as upstream sees it after an in-place merge. Added items take the positions of deleted ones, up to the
 * length of the live list.
 */
export function orderAfterMerge(original: Json[], patch: Json[], mergeKey: string): Json[] {
  if (mergeKey === '') return original;
  const { live, items, replaces } = applyItemDirectives(original, patch, mergeKey);
  if (replaces) return original;
  const index = indexOf(live, mergeKey);
  const added = new Map(items.map((item) => [identity(item, mergeKey), item]));
  const fresh = [...added].filter(([value]) => index.find(value) === undefined).map(([, item]) => item);
  return [...live, ...fresh].slice(0, original.length);
}

function mergeItems({ original, patch, schema, mergeKey, mergeObjects }: ListPatch): Json[] {
  const merged = [...original];
  const index = indexOf(original, mergeKey);
  const added = new Map<Json, number>();
  for (const item of patch) {
    const value = isObject(item) ? ownField(item, mergeKey) : undefined;
    if (value === undefined) throw noMergeKey(item as JsonObject, mergeKey);
    const place = index.find(value) ?? added.get(value);
    if (place === undefined) added.set(value, merged.push(item) - 1);
    else merged[place] = mergeObjects(merged[place] as JsonObject, item as JsonObject, schema);
  }
  return merged;
}

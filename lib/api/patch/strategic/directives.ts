import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import { badElementOrder, badPrimitiveList, badRetainKeys, unknownDirective } from './refusals.ts';

/** The directive that replaces, deletes or merges a map or list. */
export const PATCH = '$patch';
const RETAIN_KEYS = '$retainKeys';
/** The prefix of the directive with the order of a list's items. */
export const ELEMENT_ORDER = '$setElementOrder';
/** The prefix of the directive with the scalars to delete from a list. */
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

/** Applies `$patch` to an object: `replace` returns the patch unchanged, `delete` returns an empty object. */
export function applyDirective(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  const { [PATCH]: _, ...fields } = patch;
  return fields;
}

/** Returns the field to which a parallel list such as `$setElementOrder/ports` refers. */
export function fieldOf(key: string, prefix: string): string {
  const slash = key.indexOf('/');
  if (slash >= 0 && key.slice(0, slash) === prefix) return key.slice(slash + 1);
  throw prefix === ELEMENT_ORDER ? badElementOrder() : badPrimitiveList();
}

/** Removes the fields of `original` that `$retainKeys` does not name. The patch may set no others. */
export function retainKeys(original: JsonObject, patch: JsonObject): void {
  const directive = ownField(patch, RETAIN_KEYS);
  if (directive === undefined) return;
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(directive)) throw badRetainKeys();
  const retained = new Set<Json>(directive);
  const others = Object.keys(patch).filter((key) => !retained.has(key) && patch[key] !== null);
  if (others.some((key) => !key.startsWith(DELETE_FROM_LIST) && !key.startsWith(ELEMENT_ORDER))) throw badRetainKeys();
  for (const field of Object.keys(original)) if (!retained.has(field)) delete original[field];
}

/** Returns a new value without directive objects, and without nulls if requested. Undefined if the value is itself a directive. */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  const kept: JsonObject = {};
  for (const field of Object.keys(value)) {
    const item = withoutDirectives(value[field] as Json);
    if (item !== undefined) setField(kept, field, item);
  }
  return kept;
}

/** Returns a value without null fields at any depth. Null list items stay. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const field of Object.keys(value)) {
    if (value[field] !== null) setField(kept, field, withoutNulls(value[field] as Json));
  }
  return kept;
}

import type { JsonPatch } from '#lib/api/patch/json-patch.ts';
import { holdsLiterals, opaque, withLiterals } from '#lib/api/patch/opaque-literals.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject, ownField, setField, stringAt } from '#lib/machinery/json-value.ts';

/**
 * Returns a patched document in the form of upstream's errors. Fields are sorted in objects inside the patch's paths, and in all objects of
 * custom resources. `touched` mirrors the structure that the patch changed.
 */
export function shownDocument(document: JsonObject, touched: Json, custom: boolean): string {
  const shown = holdsLiterals(document) ? opaque(document) : document;
  return withLiterals(encodeJson(custom ? deeplySorted(shown) : sortedWhere(shown, touched)));
}

function deeplySorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(deeplySorted);
  return isObject(value) ? sorted(value, deeplySorted) : value;
}

function sortedWhere(value: Json, touched: Json): Json {
  if (Array.isArray(value)) return value.map((item, i) => sortedWhere(item, elementAt(touched, i)));
  if (!isObject(value) || !isObject(touched)) return value;
  return sorted(value, (item, field) => sortedWhere(item, ownField(touched, field) ?? null));
}

/** Returns the part of `touched` at an element, which paths name by its index. */
const elementAt = (touched: Json, i: number): Json =>
  (Array.isArray(touched) ? touched[i] : isObject(touched) ? ownField(touched, String(i)) : undefined) ?? null;

function sorted(value: JsonObject, show: (item: Json, field: string) => Json): JsonObject {
  const copy: JsonObject = {};
  for (const field of Object.keys(value).sort()) setField(copy, field, show(value[field] as Json, field));
  return copy;
}

/** Returns the containers on the paths of a JSON patch. */
export function touchedBy(operations: JsonPatch): JsonObject {
  const touched: JsonObject = {};
  for (const operation of operations) {
    for (const field of ['path', 'from']) touch(touched, stringAt(operation ?? {}, field) ?? '');
  }
  return touched;
}

function touch(touched: JsonObject, path: string): void {
  let here = touched;
  for (const token of path.split('/').slice(1, -1)) {
    const next = ownField(here, token);
    if (isObject(next)) here = next;
    else {
      const added: JsonObject = {};
      setField(here, token, added);
      here = added;
    }
  }
}

import { inOrder, internalField } from '#lib/api/internal-form.ts';
import { equal, isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';

/** Upstream's semantic equality: an empty list or map equals an absent one. */
export function semanticEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => semanticEqual(item, b[i]));
  }
  if (isObject(a) && isObject(b)) {
    const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...fields].every((field) => semanticEqual(ownField(a, field), ownField(b, field)));
  }
  return isEmpty(a) || isEmpty(b) ? isEmpty(a) && isEmpty(b) : equal(a, b);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.values(value).every(isEmpty);
}

/** Upstream's semantic equality of internal forms: an empty struct differs from an absent one. */
export function internallyEqual(a: Json, b: Json): boolean {
  if (isVoid(a) || isVoid(b)) return isVoid(a) && isVoid(b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => internallyEqual(item, b[i] ?? null));
  }
  if (!isObject(a) || !isObject(b)) return equal(a, b);
  const fields = Object.keys(a);
  return (
    fields.length === Object.keys(b).length &&
    fields.every((field) => Object.hasOwn(b, field) && internallyEqual(a[field] ?? null, b[field] ?? null))
  );
}

const isVoid = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns an error if the field changed. `type` is the owner's type name, because messages contain internal forms. */
export function immutable<T extends JsonObject>(
  object: T | undefined,
  old: T | undefined,
  field: keyof T & string,
  path: FieldPath,
  type?: string,
): FieldError[] {
  const form = (one: JsonObject | undefined): Json =>
    type === undefined ? (ownField(one, field) ?? null) : internalField(type, one, field);
  const same = type === undefined ? semanticEqual : internallyEqual;
  return same(form(object), form(old)) ? [] : [invalid(path.child(field), inOrder(form(object)), IMMUTABLE)];
}

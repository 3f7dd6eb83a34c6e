/**
 * Records fields that a document sets to an empty list or map and that Go's encoder omits. Stored and served objects do not show them. Some
 * of upstream's messages and comparisons do. A record lives as long as its decoded object or a clone of it.
 */
const empties = new WeakMap<object, Set<string>>();

/** Records that the document sets `field` of `object` to an empty list or map. */
export function noteEmpty(object: object, field: string): void {
  const fields = empties.get(object) ?? new Set();
  empties.set(object, fields.add(field));
}

/** Whether the field is absent from a decoded object because the document set it to an empty value. */
export const wasEmpty = (object: object | undefined, field: string): boolean =>
  object !== undefined && (empties.get(object)?.has(field) ?? false);

/** Copies the records of one object to another, for instance to its clone. */
export function copyEmpties(from: object, to: object): void {
  const fields = empties.get(from);
  if (fields !== undefined) empties.set(to, new Set(fields));
}

/** Whether a field of the object itself was set to an empty value. */
export const hasEmpty = (object: object): boolean => empties.has(object);

/** Whether any field in a decoded value was set to an empty value. */
export function holdsEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return empties.has(value) || Object.values(value).some(holdsEmpty);
}

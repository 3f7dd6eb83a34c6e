/**
 * Fields that a document gave as an empty list or map and that Go's encoder leaves out. Nothing that is stored or served
 * shows them; upstream's messages and some of its comparisons do, for as long as the decoded object or a copy of it lives.
 */
const empties = new WeakMap<object, Set<string>>();

/** Records that the document has `field` of `object` as an empty list or map. */
export function noteEmpty(object: object, field: string): void {
  const fields = empties.get(object) ?? new Set();
  empties.set(object, fields.add(field));
}

/** Whether the field is absent from a decoded object because it was given empty. */
export const wasEmpty = (object: object | undefined, field: string): boolean =>
  object !== undefined && (empties.get(object)?.has(field) ?? false);

/** Copies the records of one object to another, for instance to its clone. */
export function copyEmpties(from: object, to: object): void {
  const fields = empties.get(from);
  if (fields !== undefined) empties.set(to, new Set(fields));
}

/** Whether a field of the object itself was given empty. */
export const hasEmpty = (object: object): boolean => empties.has(object);

/** Whether something in a decoded value was given empty. */
export function holdsEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return empties.has(value) || Object.values(value).some(holdsEmpty);
}

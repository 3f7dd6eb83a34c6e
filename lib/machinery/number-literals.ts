/**
 * Records number literals that an encoder would write differently: `80.0`, `8e1`, `0.50`. JavaScript has one number type. Go decodes 80 as
 * an int64 and 80.0 as a float64, and its errors quote the literal. A record lives as long as its container or a clone of it.
 */
const literals = new WeakMap<object, Map<string | number, string>>();

/** Records the literal of the number at `key` of a list or object. Undefined removes the record. */
export function noteLiteral(container: object, key: string | number, literal: string | undefined): void {
  const noted = literals.get(container);
  if (literal === undefined) noted?.delete(key);
  else if (noted === undefined) literals.set(container, new Map([[key, literal]]));
  else noted.set(key, literal);
}

/** The literal of the number at `key`; undefined if an encoder would write the same. */
export const literalAt = (container: object, key: string | number): string | undefined =>
  literals.get(container)?.get(key);

/** Whether a number directly in the container has a recorded literal. */
export const hasLiterals = (container: object): boolean => literals.has(container);

/** Whether Go holds the number at `key` as a float64 even though it is whole. */
export function isFloatAt(container: object, key: string | number): boolean {
  const literal = literalAt(container, key);
  return literal !== undefined && !isIntegerLiteral(literal);
}

/** Whether Go's ParseInt accepts the literal, apart from its range. */
export const isIntegerLiteral = (literal: string): boolean => /^-?\d+$/.test(literal);

/** Copies the records of one container to another, for instance to its clone. */
export function copyLiterals(from: object, to: object): void {
  const noted = literals.get(from);
  if (noted !== undefined) literals.set(to, new Map(noted));
}

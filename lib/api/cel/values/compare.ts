import { CelError, Duration, Timestamp, Uint, type Value } from './value.ts';

/** The error for operands that match no overload. */
export const noSuchOverload: CelError = new CelError('no such overload');

/** Compares strings by code point (Go's order of UTF-8 bytes): negative, zero or positive. */
export function compareStrings(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Compares bytes lexicographically: negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares numbers. Like cel-go, compares an int with a double as doubles. Undefined if one is NaN. */
export function compareNumbers(a: bigint | number, b: bigint | number): number | undefined {
  if (typeof a !== typeof b) return compareNumbers(Number(a), Number(b));
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : undefined;
}

/** The number in a numeric value. */
export function numberOf(value: Value): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

/** Compares two values: negative, zero or positive, NaN if one is NaN, or an error for unordered types. */
export function compare(a: Value, b: Value): number | CelError {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== undefined && y !== undefined) return compareNumbers(x, y) ?? Number.NaN;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return compareNumbers(a.nanos, b.nanos) ?? 0;
  if (a instanceof Duration && b instanceof Duration) return compareNumbers(a.nanos, b.nanos) ?? 0;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return noSuchOverload;
}

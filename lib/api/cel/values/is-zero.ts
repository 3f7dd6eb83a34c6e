import { Duration, ListValue, MapValue, ObjectValue, Optional, Timestamp, Uint, type Value } from './value.ts';

/** Whether the value is its type's zero: null, false, 0, an empty string, list or map. */
export function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === -62_135_596_800_000_000_000n;
  if (value instanceof Optional) return value.value === undefined;
  return value instanceof ObjectValue && value.costSize?.() === 0;
}

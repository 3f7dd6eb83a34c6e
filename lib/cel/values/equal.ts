import { sameType, Type } from '../types/type.ts';
import { compareBytes, compareNumbers, numberOf } from './compare.ts';
import { Duration, ListValue, MapValue, ObjectValue, Opaque, Optional, Timestamp, type Value } from './value.ts';

/** Equality of any two values: numbers by value across types, containers by their parts, else false. */
export function equal(a: Value, b: Value): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (typeof b === 'string' || typeof b === 'boolean' || b === null) return false;
  const x = numberOf(a);
  if (x !== undefined) {
    const y = numberOf(b);
    return y !== undefined && compareNumbers(x, y) === 0;
  }
  return equalObjects(a, b);
}

function equalObjects(a: Value, b: Value): boolean {
  if (a instanceof ListValue) {
    if (!(b instanceof ListValue)) return false;
    return a.equalTo ? a.equalTo(b) : b.equalTo ? b.equalTo(a) : equalLists(a, b);
  }
  if (a instanceof MapValue) return a.equalTo ? a.equalTo(b) : b instanceof MapValue && equalMaps(a, b);
  if (a instanceof ObjectValue || a instanceof Opaque) return a.equalTo(b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Type) return b instanceof Type && equalTypes(a, b);
  return a instanceof Optional && b instanceof Optional && equalOptionals(a, b);
}

/** At run time types are equal by name alone. */
function equalTypes(a: Type, b: Type): boolean {
  return a.name === b.name || sameType(a, b);
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

function equalLists(a: ListValue, b: ListValue): boolean {
  if (a.size !== b.size) return false;
  for (let i = 0; i < a.size; i++) {
    if (!equal(a.get(i), b.get(i))) return false;
  }
  return true;
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const x = a.get(key);
    const y = b.get(key);
    if (x === undefined || y === undefined || !equal(x, y)) return false;
  }
  return true;
}

import { sameType, Type } from '../types/type.ts';
import { compareBytes, compareNumbers, numberOf } from './compare.ts';
import { Duration, ListValue, MapValue, ObjectValue, Opaque, Optional, Timestamp, type Value } from './value.ts';

/**
 * The pairs of values that one comparison has found equal. Values share parts, so a small expression can create lists with exponentially
 * many elements. With this record, each pair is compared only once.
 */
class Comparison {
  readonly #equal = new Map<object, Set<object>>();
  #steps = 0;

  known(a: object, b: object): boolean {
    this.#steps++;
    return this.#equal.get(a)?.has(b) === true;
  }

  /** Records an equal pair. Short comparisons skip this. */
  found(a: object, b: object): true {
    if (this.#steps < 1000) return true;
    const others = this.#equal.get(a);
    if (others) others.add(b);
    else this.#equal.set(a, new Set([b]));
    return true;
  }
}

/**
 * Equality of any two values. Numbers are equal by value across types, containers by their contents. Values of other different types are
 * not equal.
 */
export function equal(a: Value, b: Value): boolean {
  return compareParts(a, b, undefined);
}

function compareParts(a: Value, b: Value, comparison: Comparison | undefined): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (typeof b === 'string' || typeof b === 'boolean' || b === null) return false;
  const x = numberOf(a);
  if (x !== undefined) {
    const y = numberOf(b);
    return y !== undefined && compareNumbers(x, y) === 0;
  }
  return equalObjects(a, b, comparison);
}

function equalObjects(a: Value, b: Value, comparison: Comparison | undefined): boolean {
  if (a instanceof ListValue) {
    if (!(b instanceof ListValue)) return false;
    return a.equalTo ? a.equalTo(b) : b.equalTo ? b.equalTo(a) : equalLists(a, b, comparison ?? new Comparison());
  }
  if (a instanceof MapValue) {
    if (a.equalTo) return a.equalTo(b);
    return b instanceof MapValue && equalMaps(a, b, comparison ?? new Comparison());
  }
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b, comparison ?? new Comparison());
  if (a instanceof ObjectValue || a instanceof Opaque) return a.equalTo(b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  return a instanceof Type && b instanceof Type && equalTypes(a, b);
}

/** At run time, only the names of types are compared. */
function equalTypes(a: Type, b: Type): boolean {
  return a.name === b.name || sameType(a, b);
}

function equalOptionals(a: Optional, b: Optional, comparison: Comparison): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  if (comparison.known(a, b)) return true;
  return compareParts(a.value, b.value, comparison) && comparison.found(a, b);
}

function equalLists(a: ListValue, b: ListValue, comparison: Comparison): boolean {
  if (a.size !== b.size) return false;
  if (comparison.known(a, b)) return true;
  for (let i = 0; i < a.size; i++) {
    if (!compareParts(a.get(i), b.get(i), comparison)) return false;
  }
  return comparison.found(a, b);
}

function equalMaps(a: MapValue, b: MapValue, comparison: Comparison): boolean {
  if (a.size !== b.size) return false;
  if (comparison.known(a, b)) return true;
  for (const key of a.keys()) {
    const x = a.get(key);
    const y = b.get(key);
    if (x === undefined || y === undefined || !compareParts(x, y, comparison)) return false;
  }
  return comparison.found(a, b);
}

import { textOf } from '../values/text-of.ts';
import { typeOf } from '../values/type-of.ts';
import {
  CelError,
  ListValue,
  MapValue,
  ObjectValue,
  Optional,
  type Result,
  Uint,
  type Value,
} from '../values/value.ts';

/** Returns the value at a key or index; undefined if it is absent. */
function find(target: Value, key: Value): Result | undefined {
  if (target instanceof MapValue) return target.get(key);
  if (target instanceof ObjectValue) return typeof key === 'string' ? target.get(key) : undefined;
  if (target instanceof ListValue) return element(target, key);
  return undefined;
}

function element(list: ListValue, key: Value): Result | undefined {
  const index = key instanceof Uint ? key.value : key;
  if (typeof index !== 'bigint' && typeof index !== 'number') {
    return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
  }
  const place = Number(index);
  if (!Number.isInteger(place)) return new CelError(`unsupported index value ${textOf(key)} in list`);
  return place >= 0 && place < list.size ? list.get(place) : undefined;
}

function missing(target: Value, key: Value): CelError {
  return new CelError(`${target instanceof ListValue ? 'index out of bounds' : 'no such key'}: ${textOf(key)}`);
}

/** Selects or indexes. On an optional, selects within it and returns an optional. */
export function qualify(target: Value, key: Value): Result {
  if (target instanceof Optional) return qualifyOptional(target, key);
  const found = find(target, key);
  return found === undefined ? missing(target, key) : found;
}

/** Selects or indexes and returns an optional, which is none if the key is absent. */
export function qualifyOptional(target: Value, key: Value): Result {
  const inner = target instanceof Optional ? target.value : target;
  if (inner === undefined) return Optional.none;
  const found = find(inner, key);
  if (found === undefined) return Optional.none;
  return found instanceof CelError || found instanceof Optional ? found : Optional.of(found);
}

/** Evaluates `has(target.field)`. */
export function isPresent(target: Value, field: string): Result {
  const inner = target instanceof Optional ? target.value : target;
  if (inner instanceof ObjectValue) return inner.has(field);
  if (inner === undefined) return false;
  const found = find(inner, field);
  return found instanceof CelError ? found : found !== undefined;
}

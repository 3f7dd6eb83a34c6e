import { copyEmpties } from './empties.ts';
import { copyLiterals } from './number-literals.ts';

/**
 * A decoded JSON value. Integers beyond 2^53 are `bigint`, so int64 values stay exact. Every other number is a `number`. Objects may have
 * any key, even `__proto__`. Write untrusted keys with `setField`, never with `object[key] = …`.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
/** A JSON object. Use `ownField` and `setField` for untrusted keys, because one may be `__proto__`. */
export interface JsonObject {
  [field: string]: Json;
}

/** Marks the types of built-in kinds (`lib/api/types`) with their names. No object has this field at run time. */
export declare const typed: unique symbol;

/**
 * An object without compile-time field types. The accessors below accept only such objects, so typed objects cannot be read by field name.
 */
export interface Untyped extends JsonObject {
  readonly [typed]?: never;
}

/** A map with untrusted keys, such as labels. An untyped object counts as a map of arbitrary values. */
interface Fields<T extends Json> {
  readonly [field: string]: T;
  readonly [typed]?: never;
}

/** Whether a value is a JSON object, neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a field with an untrusted name. `__proto__` becomes an own field like any other. */
export function setField(object: JsonObject, field: string, value: Json): void {
  if (field === '__proto__') {
    Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true });
  } else object[field] = value;
}

/** The value with the fields of all objects sorted by name, as Go writes maps. */
export function sortedByKey(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedByKey);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const field of Object.keys(value).sort()) setField(sorted, field, sortedByKey(value[field] as Json));
  return sorted;
}

/** The object at `field`; undefined if absent or of another type. */
export function objectAt(object: Untyped | undefined, field: string): JsonObject | undefined {
  const value = ownField(object, field);
  return isObject(value) ? value : undefined;
}

/** The array at `field`; empty if absent or of another type. */
export function arrayAt(object: Untyped | undefined, field: string): Json[] {
  const value = ownField(object, field);
  return Array.isArray(value) ? value : [];
}

/** The string at `field`; undefined if absent or of another type. */
export function stringAt(object: Untyped | undefined, field: string): string | undefined {
  const value = ownField(object, field);
  return typeof value === 'string' ? value : undefined;
}

/** The own value at `field` of an object or map, never an inherited one. */
export function ownField<T extends Json>(object: Fields<T> | undefined, field: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, field) ? object[field] : undefined;
}

/** A deep copy that shares no mutable data with `value`. */
export function clone<T extends Json>(value: T): T {
  return copyValue(value) as T;
}

function copyValue(value: Json): Json {
  if (Array.isArray(value)) return copyList(value);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const field in value) setField(copy, field, copyValue(value[field] as Json));
  copyEmpties(value, copy);
  copyLiterals(value, copy);
  return copy;
}

function copyList(list: readonly Json[]): Json[] {
  const copy = list.map(copyValue);
  copyLiterals(list, copy);
  return copy;
}

/** Semantic equality: ignores the order of object fields, and 1 equals 1n. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && equalItems(a, b);
  if (isObject(a)) return isObject(b) && equalFields(a, b);
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of one value are one JSON number
  return (
    ((typeof a === 'bigint' && typeof b === 'number') || (typeof a === 'number' && typeof b === 'bigint')) && a == b
  );
}

/** Whether the object has no fields. Unlike Object.keys, the cost does not grow with the number of fields. */
export function hasNoField(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

function equalItems(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false;
  return true;
}

function equalFields(a: JsonObject, b: JsonObject): boolean {
  let count = 0;
  for (const field in a) {
    if (!Object.hasOwn(b, field) || !equal(a[field], b[field])) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

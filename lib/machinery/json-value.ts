import { copyEmpties } from './empties.ts';
import { copyLiterals } from './number-literals.ts';

/**
 * A decoded JSON value. Integers beyond 2^53 are `bigint`, so that int64 survives; every other number is a `number`.
 * Objects may carry any key, `__proto__` included: write foreign keys with `setField`, never with `object[key] = …`.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
/** A JSON object. Use `ownField` and `setField` for keys that come from outside: `__proto__` may be one. */
export interface JsonObject {
  [field: string]: Json;
}

/** Marks the types of built-in kinds (`lib/api/types`), each with its name. No object has this field. */
export declare const typed: unique symbol;

/** An object whose fields the compiler does not know. Accessors take these alone: the fields of typed objects are no texts. */
export interface Untyped extends JsonObject {
  readonly [typed]?: never;
}

/** A map whose keys come from outside, such as labels; an object whose fields the compiler does not know is one of any values. */
interface Fields<T extends Json> {
  readonly [field: string]: T;
  readonly [typed]?: never;
}

/** Whether a value is a JSON object: not null, no list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a field whose name comes from outside; `__proto__` becomes an own field like any other. */
export function setField(object: JsonObject, field: string, value: Json): void {
  if (field === '__proto__') {
    Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true });
  } else object[field] = value;
}

/** The value with the fields of every object in the order of their names, as Go's maps are written. */
export function sortedByKey(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedByKey);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const field of Object.keys(value).sort()) setField(sorted, field, sortedByKey(value[field] as Json));
  return sorted;
}

/** The object at `field`, or undefined where it is absent or of another type. */
export function objectAt(object: Untyped | undefined, field: string): JsonObject | undefined {
  const value = ownField(object, field);
  return isObject(value) ? value : undefined;
}

/** The array at `field`, or an empty one. */
export function arrayAt(object: Untyped | undefined, field: string): Json[] {
  const value = ownField(object, field);
  return Array.isArray(value) ? value : [];
}

/** The string at `field`, or undefined where it is absent or of another type. */
export function stringAt(object: Untyped | undefined, field: string): string | undefined {
  const value = ownField(object, field);
  return typeof value === 'string' ? value : undefined;
}

/** The own value at `field`, of an object or of a map; never one that JavaScript's prototype has. */
export function ownField<T extends Json>(object: Fields<T> | undefined, field: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, field) ? object[field] : undefined;
}

/** A deep copy that shares nothing with `value`. */
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

/** Semantic equality: the order of object fields does not count; 1 and 1n are equal. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && equalItems(a, b);
  if (isObject(a)) return isObject(b) && equalFields(a, b);
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of one value are one JSON number
  return (
    ((typeof a === 'bigint' && typeof b === 'number') || (typeof a === 'number' && typeof b === 'bigint')) && a == b
  );
}

/** Whether it has no field; unlike a list of its keys this costs the same however many there are. */
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

import { arrayAt, isObject, type JsonObject, objectAt, ownField, stringAt, type Untyped } from './json-value.ts';

/** An int32 or int64 of a decoded object. */
export type Integer = number | bigint;

/** The string at `field`; empty if absent, as in Go. */
export function text(object: Untyped | undefined, field: string): string {
  return stringAt(object, field) ?? '';
}

/** The integer at `field`; undefined if absent, like Go's nil pointer. */
export function integer(object: Untyped | undefined, field: string): Integer | undefined {
  const value = ownField(object, field);
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** The integer at `field`; 0 if absent. */
export function count(object: Untyped | undefined, field: string): Integer {
  return integer(object, field) ?? 0;
}

/** The boolean at `field`; undefined if absent. */
export function flag(object: Untyped | undefined, field: string): boolean | undefined {
  const value = ownField(object, field);
  return typeof value === 'boolean' ? value : undefined;
}

/** Whether `field` is set. */
export function has(object: Untyped | undefined, field: string): boolean {
  const value = ownField(object, field);
  return value !== undefined && value !== null;
}

/** The objects of the list at `field`. An item that is not an object becomes an empty one, so that indexes stay valid. */
export function items(object: Untyped | undefined, field: string): JsonObject[] {
  return arrayAt(object, field).map((item) => (isObject(item) ? item : {}));
}

/** The strings of the list at `field`. */
export function texts(object: Untyped | undefined, field: string): string[] {
  return arrayAt(object, field).map((item) => (typeof item === 'string' ? item : ''));
}

/** The entries of the string map at `field`, sorted by key as in Go's JSON. */
export function entries(object: Untyped | undefined, field: string): [string, string][] {
  const map = objectAt(object, field) ?? {};
  return Object.keys(map)
    .sort()
    .map((key) => [key, text(map, key)]);
}

/** The object at `path`, created if absent. */
export function ensure(object: Untyped, ...path: string[]): JsonObject {
  let current = object;
  for (const field of path) {
    const next = ownField(current, field);
    if (isObject(next)) current = next;
    else {
      const created: JsonObject = {};
      current[field] = created;
      current = created;
    }
  }
  return current;
}

/** The object at `path`; undefined if absent. */
export function at(object: Untyped | undefined, ...path: string[]): JsonObject | undefined {
  return path.reduce<Untyped | undefined>((current, field) => objectAt(current, field), object);
}

import type { Type } from '../types/type.ts';

/**
 * A value of the language. JavaScript values represent the common types: `bigint` is int, `number` is double, `Uint8Array` is bytes, `Type`
 * is a type. A list or map may read its contents lazily.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | ListValue
  | MapValue
  | ObjectValue
  | Optional
  | Opaque
  | Type;

/** The result of an evaluation. Errors are values, because `&&`, `||` and comprehensions can absorb them. Evaluation never throws. */
export type Result = Value | CelError;

/** An evaluation error with cel-go's message. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Creates an evaluation error with this message. */
export function error(message: string): CelError {
  return new CelError(message);
}

/** An unsigned integer. JavaScript's bigint represents signed ones. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A duration in nanoseconds, in the range of int64. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/**
 * A time in nanoseconds since 1970, between the years 1 and 9999. The offset is the zone in which it was written, in seconds east of UTC.
 */
export class Timestamp {
  readonly nanos: bigint;
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A list. Subclasses may convert elements on access. */
export abstract class ListValue {
  abstract readonly size: number;
  /** The element at 0 ≤ index < size. */
  abstract get(index: number): Value;
  /** Overrides element-wise equality (sets, lists by key). */
  equalTo?(other: Value): boolean;
  /** Overrides concatenation. */
  concat?(other: ListValue): Result;
}

/** A map. Keys are bool, int, uint or string, and equal numbers are one key. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;
  /** Overrides `in` for a map that returns values for keys that it does not contain. */
  contains?(key: Value): boolean;
  equalTo?(other: Value): boolean;
}

/** A value of an object type, with named fields. */
export abstract class ObjectValue {
  abstract readonly type: Type;
  /** Returns the field's value; undefined if it is unset. */
  abstract get(field: string): Value | undefined;
  /** Whether the field is set, for `has()`. */
  has(field: string): boolean {
    return this.get(field) !== undefined;
  }
  abstract equalTo(other: Value): boolean;
  /** Returns the size of the value for costs; 1 if absent. */
  costSize?(): number;
}

/** A value of an opaque type: url, ip, quantity … */
export abstract class Opaque {
  abstract readonly type: Type;
  abstract equalTo(other: Value): boolean;
  /** Returns the size of the value for costs; 1 if absent. */
  costSize?(): number;
}

/** An optional value, present or absent. */
export class Optional {
  static readonly none: Optional = new Optional(undefined);
  readonly value: Value | undefined;

  private constructor(value: Value | undefined) {
    this.value = value;
  }

  static of(value: Value): Optional {
    return new Optional(value);
  }
}

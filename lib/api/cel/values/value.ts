import type { Type } from '../types/type.ts';

/**
 * A value of the language. JavaScript's own values stand for the frequent ones: `bigint` is int, `number` is double,
 * `Uint8Array` is bytes, `Type` is a type. A list or map may read what it holds lazily.
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

/** The result of an evaluation. Errors are values, which `&&`, `||` and comprehensions absorb; nothing is thrown. */
export type Result = Value | CelError;

/** An error of evaluation; the message is cel-go's. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An error of evaluation with this message. */
export function error(message: string): CelError {
  return new CelError(message);
}

/** An unsigned integer: JavaScript's bigint stands for signed ones. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds within int64. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Nanoseconds since 1970, between the years 1 and 9999; the offset (seconds east) is how it was written. */
export class Timestamp {
  readonly nanos: bigint;
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A list; subclasses may convert elements when asked. */
export abstract class ListValue {
  abstract readonly size: number;
  /** The element at 0 ≤ index < size. */
  abstract get(index: number): Value;
  /** Replaces element-wise equality (sets, lists by key). */
  equalTo?(other: Value): boolean;
  /** Replaces concatenation. */
  concat?(other: ListValue): Result;
}

/** A map; keys are bool, int, uint or string, and numbers that are equal are one key. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;
  /** Evaluates `in` for a map that gives values for keys that it does not contain. */
  contains?(key: Value): boolean;
  equalTo?(other: Value): boolean;
}

/** A value of an object type, with named fields. */
export abstract class ObjectValue {
  abstract readonly type: Type;
  /** The field's value; undefined when it is not set. */
  abstract get(field: string): Value | undefined;
  /** Whether the field is set, as `has()` asks. */
  has(field: string): boolean {
    return this.get(field) !== undefined;
  }
  abstract equalTo(other: Value): boolean;
  /** The size of the value in costs; 1 when absent. */
  costSize?(): number;
}

/** A value of an opaque type: url, ip, quantity … */
export abstract class Opaque {
  abstract readonly type: Type;
  abstract equalTo(other: Value): boolean;
  /** The size of the value in costs; 1 when absent. */
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

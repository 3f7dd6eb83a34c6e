/** The kinds of types, like cel-go's. */
export type Kind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'duration'
  | 'timestamp'
  | 'list'
  | 'map'
  | 'type'
  | 'struct'
  | 'opaque'
  | 'param';

/**
 * A type of the language. `name` is the run-time name (`null_type`, `google.protobuf.Timestamp`, an object's name). `params` are a list's
 * element type, a map's key and value types, an opaque type's parameters, or the type that a `type(x)` denotes.
 */
export class Type {
  readonly kind: Kind;
  readonly name: string;
  readonly params: readonly Type[];
  /** Whether the type is a wrapper (such as protobuf's IntValue): the primitive or null. */
  readonly nullable: boolean;
  /** Whether the type contains no type parameter. */
  readonly closed: boolean;

  constructor(kind: Kind, name: string, params: readonly Type[] = [], nullable = false) {
    this.kind = kind;
    this.name = name;
    this.params = params;
    this.nullable = nullable;
    this.closed = kind !== 'param' && params.every((param) => param.closed);
  }
}

/** `dyn`. Its values are checked at run time. */
export const dynType: Type = new Type('dyn', 'dyn');
/** `google.protobuf.Any`, which the checker treats as `dyn`. */
export const anyType: Type = new Type('any', 'google.protobuf.Any');
/** The type of an expression with an error. */
export const errorType: Type = new Type('error', 'error');
/** The type of `null`. */
export const nullType: Type = new Type('null', 'null_type');
/** The type of `true` and `false`. */
export const boolType: Type = new Type('bool', 'bool');
/** The type of signed integers of 64 bits. */
export const intType: Type = new Type('int', 'int');
/** The type of unsigned integers of 64 bits. */
export const uintType: Type = new Type('uint', 'uint');
/** The type of floating-point numbers of 64 bits. */
export const doubleType: Type = new Type('double', 'double');
/** The type of strings. */
export const stringType: Type = new Type('string', 'string');
/** The type of byte strings. */
export const bytesType: Type = new Type('bytes', 'bytes');
/** The type of durations. */
export const durationType: Type = new Type('duration', 'google.protobuf.Duration');
/** The type of timestamps. */
export const timestampType: Type = new Type('timestamp', 'google.protobuf.Timestamp');
/** The type of types. */
export const typeType: Type = new Type('type', 'type');

/** The type of lists of one type. */
export function listType(element: Type): Type {
  return new Type('list', 'list', [element]);
}

/** The type of maps from one type to another. */
export function mapType(key: Type, value: Type): Type {
  return new Type('map', 'map', [key, value]);
}

/** The type of types: the expression `int` has the type `type(int)`. */
export function typeOfType(denoted: Type): Type {
  return new Type('type', 'type', [denoted]);
}

/** The type of optional values. */
export function optionalType(value: Type): Type {
  return new Type('opaque', 'optional_type', [value]);
}

/** A type with functions but no fields: url, ip, quantity and so on. */
export function opaqueType(name: string, ...params: Type[]): Type {
  return new Type('opaque', name, params);
}

/** A type with fields. A `TypeProvider` returns the fields for this name. */
export function objectType(name: string): Type {
  return new Type('struct', name);
}

/** A type parameter of a function's overload: `T`, `K`, `V`. */
export function paramType(name: string): Type {
  return new Type('param', name);
}

/** The type of lists of any values. */
export const listOfDyn: Type = listType(dynType);
/** The type of maps of any keys and values. */
export const mapOfDyn: Type = mapType(dynType, dynType);

/** Whether values of the type are optionals. */
export function isOptional(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Whether the type is checked at run time. */
export function isDyn(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

/** Whether kind, name and parameters are the same. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.nullable !== b.nullable) return false;
  return a.params.length === b.params.length && a.params.every((param, i) => sameType(param, b.params[i] ?? errorType));
}

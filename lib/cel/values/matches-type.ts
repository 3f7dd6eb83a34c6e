import { isOptional, Type } from '../types/type.ts';
import { Duration, ListValue, MapValue, ObjectValue, Opaque, Optional, Timestamp, Uint, type Value } from './value.ts';

export type Guard = (value: Value) => boolean;

/** A test whether a value may be an argument of the type, as far as run time tells: `list(int)` is any list. */
export function guardOf(type: Type): Guard | undefined {
  const guard = plainGuard(type);
  return type.nullable && guard ? (value) => value === null || guard(value) : guard;
}

function plainGuard(type: Type): Guard | undefined {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
    case 'error':
      return undefined;
    case 'null':
      return (value) => value === null;
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
      return (value) => typeof value === 'bigint';
    case 'double':
      return (value) => typeof value === 'number';
    case 'string':
      return (value) => typeof value === 'string';
    case 'uint':
      return (value) => value instanceof Uint;
    case 'bytes':
      return (value) => value instanceof Uint8Array;
    case 'duration':
      return (value) => value instanceof Duration;
    case 'timestamp':
      return (value) => value instanceof Timestamp;
    case 'list':
      return (value) => value instanceof ListValue;
    case 'map':
      return (value) => value instanceof MapValue;
    case 'type':
      return (value) => value instanceof Type;
    case 'opaque':
      return isOptional(type) ? (value) => value instanceof Optional : (value) => isOpaque(value, type.name);
    case 'struct':
      return (value) => isOpaque(value, type.name) || (value instanceof ObjectValue && value.type.name === type.name);
  }
}

function isOpaque(value: Value, name: string): boolean {
  return value instanceof Opaque && value.type.name === name;
}

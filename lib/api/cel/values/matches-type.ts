import { isOptional, Type } from '../types/type.ts';
import { Duration, ListValue, MapValue, ObjectValue, Opaque, Optional, Timestamp, Uint, type Value } from './value.ts';

/** Checks the type of a value. */
export type Guard = (value: Value) => boolean;

/**
 * Returns a check whether a value may be an argument of the type, as far as this can be checked at run time. Like cel-go, it checks only
 * the first item or entry of lists and maps.
 */
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
      return listGuard(type);
    case 'map':
      return mapGuard(type);
    case 'type':
      return (value) => value instanceof Type;
    case 'opaque':
      return isOptional(type) ? (value) => value instanceof Optional : (value) => isOpaque(value, type.name);
    case 'struct':
      return (value) => isOpaque(value, type.name) || (value instanceof ObjectValue && value.type.name === type.name);
  }
}

function listGuard({ params: [element] }: Type): Guard {
  const guard = element && guardOf(element);
  if (guard === undefined) return (value) => value instanceof ListValue;
  return (value) => value instanceof ListValue && (value.size === 0 || guard(value.get(0)));
}

function mapGuard({ params: [key, element] }: Type): Guard {
  const keyGuard = key && guardOf(key);
  const guard = element && guardOf(element);
  if (keyGuard === undefined && guard === undefined) return (value) => value instanceof MapValue;
  return (value) => {
    if (!(value instanceof MapValue)) return false;
    for (const first of value.keys()) {
      return (keyGuard?.(first) ?? true) && (guard?.(value.get(first) ?? null) ?? true);
    }
    return true;
  };
}

function isOpaque(value: Value, name: string): boolean {
  return value instanceof Opaque && value.type.name === name;
}

import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOfDyn,
  mapOfDyn,
  nullType,
  optionalType,
  stringType,
  Type,
  timestampType,
  typeType,
  uintType,
} from '../types/type.ts';
import { Duration, ListValue, MapValue, Optional, Timestamp, Uint, type Value } from './value.ts';

const optionalOfDyn = optionalType(dynType);

/** Returns the run-time type of a value, the result of `type(value)`. */
export function typeOf(value: Value): Type {
  if (value === null) return nullType;
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'string':
      return stringType;
    default:
      return typeOfObject(value);
  }
}

function typeOfObject(value: Value & object): Type {
  if (value instanceof ListValue) return listOfDyn;
  if (value instanceof MapValue) return mapOfDyn;
  if (value instanceof Uint) return uintType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof Optional) return optionalOfDyn;
  if (value instanceof Type) return typeType;
  return value.type;
}

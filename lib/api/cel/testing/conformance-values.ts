import type { FunctionDeclaration } from '#lib/api/cel/functions/function.ts';
import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  objectType,
  opaqueType,
  paramType,
  stringType,
  Type,
  timestampType,
  typeOfType,
  typeType,
  uintType,
} from '#lib/api/cel/types/type.ts';
import { equal } from '#lib/api/cel/values/equal.ts';
import { listOf } from '#lib/api/cel/values/list.ts';
import { mapOf } from '#lib/api/cel/values/map.ts';
import { parseDuration, parseTimestamp } from '#lib/api/cel/values/time.ts';
import { typeOf } from '#lib/api/cel/values/type-of.ts';
import { ListValue, MapValue, Uint, type Value } from '#lib/api/cel/values/value.ts';

/** A value or type of cel-spec in protobuf's JSON encoding. */
export type Wire = Readonly<Record<string, unknown>>;

const namedTypes: Readonly<Record<string, Type>> = {
  BOOL: boolType,
  INT64: intType,
  UINT64: uintType,
  DOUBLE: doubleType,
  STRING: stringType,
  BYTES: bytesType,
  TIMESTAMP: timestampType,
  DURATION: durationType,
  ANY: anyType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  list: listType(dynType),
  map: mapType(dynType, dynType),
  null_type: nullType,
  type: typeType,
  optional_type: opaqueType('optional_type', dynType),
  'google.protobuf.Timestamp': timestampType,
  'google.protobuf.Duration': durationType,
};

/** The fields of a message in JSON; none for any other value. */
export function wire(value: unknown): Wire {
  return typeof value === 'object' && value !== null ? (value as Wire) : {};
}

function wires(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.map(wire) : [];
}

/** Converts a type from the JSON encoding. */
export function typeFrom(type: Wire): Type {
  const [[kind, content] = ['dyn', undefined]] = Object.entries(type);
  const parts = wire(content);
  switch (kind) {
    case 'primitive':
    case 'wellKnown':
      return namedTypes[String(content)] ?? dynType;
    case 'wrapper': {
      const primitive = namedTypes[String(content)] ?? dynType;
      return new Type(primitive.kind, primitive.name, [], true);
    }
    case 'null':
      return nullType;
    case 'listType':
      return listType(typeFrom(wire(parts['elemType'])));
    case 'mapType':
      return mapType(typeFrom(wire(parts['keyType'])), typeFrom(wire(parts['valueType'])));
    case 'messageType':
      return namedTypes[String(content)] ?? objectType(String(content));
    case 'typeParam':
      return paramType(String(content));
    case 'type':
      return typeOfType(typeFrom(parts));
    case 'abstractType':
      return opaqueType(String(parts['name']), ...wires(parts['parameterTypes']).map(typeFrom));
    default:
      return dynType;
  }
}

/** Converts a function declaration from the JSON encoding, without an implementation. */
export function functionFrom(declaration: Wire): FunctionDeclaration {
  const overloads = wires(wire(declaration['function'])['overloads']).map((overload) => ({
    id: String(overload['overloadId']),
    member: overload['isInstanceFunction'] === true,
    params: wires(overload['params']).map(typeFrom),
    result: typeFrom(wire(overload['resultType'])),
    call: () => null,
  }));
  return { name: String(declaration['name']), overloads };
}

/** Converts a value from the JSON encoding. Undefined for messages and enums. */
export function valueFrom(value: Wire): Value | undefined {
  const [[kind, content] = ['nullValue', null]] = Object.entries(value);
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
      return content === true;
    case 'int64Value':
      return BigInt(String(content));
    case 'uint64Value':
      return new Uint(BigInt(String(content)));
    case 'doubleValue':
      return Number(content);
    case 'stringValue':
      return String(content);
    case 'bytesValue':
      return new Uint8Array(Buffer.from(String(content), 'base64'));
    case 'typeValue':
      return namedTypes[String(content)] ?? new Type('opaque', String(content));
    case 'listValue':
      return listOf(wires(wire(content)['values']).map((element) => valueFrom(element) ?? null));
    case 'mapValue':
      return mapOf(
        wires(wire(content)['entries']).map((e) => [
          valueFrom(wire(e['key'])) ?? null,
          valueFrom(wire(e['value'])) ?? null,
        ]),
      );
    case 'objectValue':
      return timeFrom(wire(content));
    default:
      return undefined;
  }
}

function timeFrom(message: Wire): Value | undefined {
  const type = String(message['@type']);
  if (type.endsWith('google.protobuf.Duration')) return parseDuration(String(message['value']));
  return type.endsWith('google.protobuf.Timestamp') ? parseTimestamp(String(message['value'])) : undefined;
}

/** Whether values are identical, including their type. NaN equals NaN. */
export function isSame(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || a === b;
  if (typeOf(a).name !== typeOf(b).name) return false;
  if (a instanceof ListValue && b instanceof ListValue) {
    return a.size === b.size && Array.from({ length: a.size }, (_, i) => isSame(a.get(i), b.get(i))).every(Boolean);
  }
  if (a instanceof MapValue && b instanceof MapValue) {
    return a.size === b.size && [...a.keys()].every((key) => isSame(a.get(key) ?? null, b.get(key) ?? null));
  }
  return equal(a, b);
}

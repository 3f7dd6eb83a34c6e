import { durationText, timestampText } from '#lib/api/cel/values/time.ts';
import { Duration, ListValue, MapValue, Timestamp, Uint, type Value } from '#lib/api/cel/values/value.ts';
import { type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { DynamicObject } from './dynamic-object.ts';

/** A value that JSON cannot represent. */
export class NotJson extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'NotJson';
  }
}

/** The value of an expression as JSON. Throws NotJson. */
export function toJson(value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return integer(value);
  if (typeof value === 'number') return finite(value);
  if (value instanceof Uint) return integer(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, i) => toJson(value.get(i)));
  if (value instanceof MapValue) return object(entriesOf(value));
  if (value instanceof DynamicObject) return object(value.fields);
  throw new NotJson('a value of this type has no form in JSON');
}

const integer = (value: bigint): Json => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

function finite(value: number): Json {
  if (Number.isFinite(value)) return value;
  throw new NotJson(`json: unsupported value: ${value}`);
}

function* entriesOf(map: MapValue): Iterable<[string, Value]> {
  for (const key of map.keys()) {
    if (typeof key !== 'string') throw new NotJson('map key is not a string');
    yield [key, map.get(key) ?? null];
  }
}

function object(entries: Iterable<readonly [string, Value]>): JsonObject {
  const made: JsonObject = {};
  for (const [key, value] of entries) setField(made, key, toJson(value));
  return made;
}

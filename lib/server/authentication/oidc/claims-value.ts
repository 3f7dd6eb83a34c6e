import { unescapeProperty } from '#lib/api/cel/library/escaping.ts';
import { listOf } from '#lib/api/cel/values/list.ts';
import { MapValue, type Value } from '#lib/api/cel/values/value.ts';
import { type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';

/** Converts claims for expressions: every number becomes a double, and the claim `a-b` becomes `a__dash__b`. */
export function claimsValue(value: Json): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return listOf(value.map(claimsValue));
  return typeof value === 'object' && value !== null ? new ClaimsMap(value) : value;
}

class ClaimsMap extends MapValue {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: Value): Value | undefined {
    const value = typeof key === 'string' ? ownField(this.#object, unescapeProperty(key) ?? key) : undefined;
    return value === undefined ? undefined : claimsValue(value);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#object);
  }
}

import { equal, isObject, type Json, ownField } from '#lib/machinery/json-value.ts';
import { additionalSchema, type JSONSchemaProps } from './json-schema-props.ts';
import { mapListKey } from './list-type.ts';

/**
 * A value in an update and the old value at the same path: upstream's `CorrelatedObject`. Items correlate only in lists of type map, via
 * their keys. Errors of an unchanged value are ignored (ratcheting, KEP-4008).
 */
export class Correlation {
  readonly #value: Json;
  readonly #old: Json;
  readonly #schema: JSONSchemaProps;
  readonly #children = new Map<string | number, Correlation>();
  #unchanged: boolean | undefined;
  #oldByKey: Map<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: JSONSchemaProps) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** Returns the correlated field; undefined if either object or the schema lacks it. */
  key(field: string): Correlation | undefined {
    if (!isObject(this.#value) || !isObject(this.#old)) return undefined;
    const value = ownField(this.#value, field);
    const old = ownField(this.#old, field);
    const schema = this.#schema.properties?.get(field) ?? additionalSchema(this.#schema);
    return value === undefined || old === undefined ? undefined : this.#child(field, value, old, schema);
  }

  /** Returns the correlated item; undefined if the list's type does not correlate items. */
  index(i: number): Correlation | undefined {
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old) || this.#schema.listType !== 'map') return undefined;
    const value = this.#value[i];
    const key = value === undefined ? undefined : mapListKey(this.#schema, value);
    if (value === undefined || key === undefined) return undefined;
    const old = this.#oldItems(this.#old).get(key);
    return old === undefined || old === null ? undefined : this.#child(i, value, old, this.#schema.items);
  }

  /** Whether the value equals the old one. Items of a correlated list may be in any order. */
  unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #child(at: string | number, value: Json, old: Json, schema: JSONSchemaProps | undefined): Correlation | undefined {
    if (schema === undefined) return undefined;
    const existing = this.#children.get(at);
    if (existing !== undefined) return existing;
    const child = new Correlation(value, old, schema);
    this.#children.set(at, child);
    return child;
  }

  #oldItems(old: readonly Json[]): Map<string, Json> {
    if (this.#oldByKey !== undefined) return this.#oldByKey;
    this.#oldByKey = new Map();
    for (const item of old) {
      const key = mapListKey(this.#schema, item);
      if (key !== undefined && !this.#oldByKey.has(key)) this.#oldByKey.set(key, item);
    }
    return this.#oldByKey;
  }

  #compare(): boolean {
    const value = this.#value;
    const old = this.#old;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (this.#schema.listType !== 'map') return equal(value, old);
      return value.every((_, i) => this.index(i)?.unchanged() ?? false);
    }
    if (!isObject(value) || !isObject(old)) return equal(value, old);
    const fields = Object.keys(value);
    return fields.length === Object.keys(old).length && fields.every((field) => this.key(field)?.unchanged() ?? false);
  }
}

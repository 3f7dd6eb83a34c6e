import { escapeProperty, unescapeProperty } from '#lib/api/cel/library/escaping.ts';
import { opaqueType } from '#lib/api/cel/types/type.ts';
import { equal } from '#lib/api/cel/values/equal.ts';
import { parseTimestamp } from '#lib/api/cel/values/time.ts';
import { error, ListValue, MapValue, Opaque, type Result, Timestamp, type Value } from '#lib/api/cel/values/value.ts';
import { additionalSchema } from '#lib/api/schema/json-schema-props.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { equal as equalJson, isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { isFloatAt } from '#lib/machinery/number-literals.ts';
import { withTypeAndObjectMeta } from './decl-type.ts';
import { parseLooseDuration } from './duration.ts';

/**
 * Converts an object's value for expressions, according to its schema. Nested values are converted on access. If `isFloat` is set, Go
 * represents a whole number as a float64. Expressions then do not accept it as an integer, although the schema does.
 */
export function toValue(value: Json, schema: Structural, isFloat = false): Result {
  if (value === null)
    return schema.nullable === true ? null : error('invalid data, got null for schema with nullable=false');
  if (schema.intOrString === true) return isFloat ? NO_INT_OR_STRING : intOrString(value);
  switch (schema.type) {
    case 'object':
      return objectValue(value, schema);
    case 'array':
      return listValue(value, schema);
    case 'string':
      return typeof value === 'string' ? stringValue(value, schema.format) : wrong('string', value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : wrong('float', value);
    case 'integer':
      return isFloat ? wrong('int', value, 'float64') : (integerOf(value) ?? wrong('int', value));
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong('bool', value);
    default:
  }
  if (schema.preserveUnknownFields === true) return new UnknownValue(value);
  return error(`invalid type, got ${schema.type ?? ''}`);
}

/** A nested value that does not fit its schema becomes an error in the list or map, which CEL propagates like a value. */
const part = (value: Json, schema: Structural, isFloat = false): Value => toValue(value, schema, isFloat) as Value;

const itemOf = (items: readonly Json[], i: number, schema: Structural): Value =>
  part(items[i] as Json, schema, typeof items[i] === 'number' && isFloatAt(items, i));

const wrong = (expected: string, value: Json, type = goType(value)): Result =>
  error(`invalid data, expected ${expected}, got ${type}`);

function goType(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'bigint' ? 'int64' : typeof value === 'boolean' ? 'bool' : typeof value;
}

function integerOf(value: Json): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

function intOrString(value: Json): Result {
  if (typeof value === 'string') return value;
  return integerOf(value) ?? NO_INT_OR_STRING;
}

const NO_INT_OR_STRING = error('invalid data, expected XIntOrString value to be either a string or integer');

function stringValue(text: string, format: string | undefined): Result {
  switch (format) {
    case 'duration':
      return parseLooseDuration(text) ?? error(`Invalid duration ${text}: unable to parse ${text} as duration`);
    case 'date':
      return parseTimestamp(`${text}T00:00:00Z`) ?? error(`Invalid date formatted string ${text}`);
    case 'date-time':
      return dateTime(text) ?? error(`Invalid date-time formatted string ${text}`);
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

/** Parses a date and time. Without a zone it is UTC. */
function dateTime(text: string): Timestamp | undefined {
  return text === '' ? new Timestamp(0n) : (parseTimestamp(text) ?? parseTimestamp(`${text}Z`));
}

/** Data without a schema, which supports only equality. */
class UnknownValue extends Opaque {
  readonly type = opaqueType('unknown');
  readonly #value: Json;

  constructor(value: Json) {
    super();
    this.#value = value;
  }

  equalTo(other: Value): boolean {
    return other instanceof UnknownValue && equalJson(this.#value, other.#value);
  }
}

function objectValue(value: Json, schema: Structural): Result {
  if (!isObject(value)) return error('invalid data, expected a map for the provided schema with type=object');
  return new SchemaMap(value, schema.embeddedResource === true ? withTypeAndObjectMeta(schema) : schema);
}

/** An object with properties, or a map with a schema for its values. */
class SchemaMap extends MapValue {
  readonly #object: JsonObject;
  readonly #schema: Structural;
  readonly #values: Structural | undefined;
  #parts: Map<string, Value> | undefined;

  constructor(object: JsonObject, schema: Structural) {
    super();
    this.#object = object;
    this.#schema = schema;
    this.#values = schema.properties === undefined ? additionalSchema(schema) : undefined;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const { properties } = this.#schema;
    const name = properties === undefined ? key : unescapeProperty(key);
    const value = name === undefined ? undefined : ownField(this.#object, name);
    // A null property counts as unset.
    if (name === undefined || value === undefined || (value === null && properties !== undefined)) return undefined;
    const schema = properties?.get(name) ?? this.#values;
    return schema === undefined ? undefined : this.#part(name, value, schema);
  }

  /** Nested lists and maps are created once, because rules access them repeatedly. */
  #part(name: string, value: Json, schema: Structural): Value {
    if (typeof value !== 'object' || value === null) {
      return part(value, schema, typeof value === 'number' && isFloatAt(this.#object, name));
    }
    const known = this.#parts?.get(name);
    if (known !== undefined) return known;
    const made = part(value, schema);
    (this.#parts ??= new Map()).set(name, made);
    return made;
  }

  *keys(): Iterable<Value> {
    const { properties } = this.#schema;
    for (const name of Object.keys(this.#object)) {
      if (properties === undefined ? this.#values !== undefined : properties.has(name)) {
        yield properties === undefined ? name : (escapeProperty(name) ?? name);
      }
    }
  }

  /** Fields without a schema are compared unconverted if both objects have them. */
  override equalTo(other: Value): boolean {
    if (!(other instanceof MapValue) || other.size !== this.size) return false;
    return Object.keys(this.#object).every((name) => this.#isEqualAt(name, other));
  }

  #isEqualAt(name: string, other: MapValue): boolean {
    const { properties } = this.#schema;
    if ((properties?.get(name) ?? this.#values) === undefined) return this.#isEqualUnknown(name, other);
    const key = properties === undefined ? name : (escapeProperty(name) ?? name);
    const [a, b] = [this.get(key), other.get(key)];
    return a === undefined || b === undefined ? a === b : equal(a, b);
  }

  #isEqualUnknown(name: string, other: MapValue): boolean {
    if (!(other instanceof SchemaMap)) return false;
    const value = ownField(other.#object, name);
    return value === undefined || equalJson(value, ownField(this.#object, name));
  }
}

function listValue(value: Json, { items, listType, listMapKeys = [] }: Structural): Result {
  if (!Array.isArray(value)) return error('invalid data, expected an array for the provided schema with type=array');
  if (items === undefined) return error('invalid array type, expected Items with a non-empty Schema');
  if (listType === 'map') return new MapList(value.length, (i) => itemOf(value, i, items), listMapKeys);
  if (listType === 'set') return new SetList(value.length, (i) => itemOf(value, i, items));
  return new SchemaList(value.length, (i) => itemOf(value, i, items));
}

/** A list that converts each element once, on access. */
class SchemaList extends ListValue {
  readonly size: number;
  readonly #read: (index: number) => Value;
  readonly #elements: Value[] = [];

  constructor(size: number, read: (index: number) => Value) {
    super();
    this.size = size;
    this.#read = read;
  }

  get(index: number): Value {
    const known = this.#elements[index];
    return known === undefined ? (this.#elements[index] = this.#read(index)) : known;
  }
}

function elements(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, i) => list.get(i));
}

/** Returns a key of a scalar. Scalars of the same type and value have equal keys. */
const scalarKey = (value: Value): string => `${typeof value}:${String(value)}`;

/** Sets are equal if they have the same elements in any order. A sum is the union. */
class SetList extends SchemaList {
  #keys: ReadonlySet<string> | undefined;

  get keys(): ReadonlySet<string> {
    return (this.#keys ??= new Set(elements(this).map(scalarKey)));
  }

  override equalTo(other: Value): boolean {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    return elements(other).every((element) => this.keys.has(scalarKey(element)));
  }

  override concat(other: ListValue): Result {
    const keys = new Set(this.keys);
    const all = elements(this);
    for (const element of elements(other)) {
      const key = scalarKey(element);
      if (!keys.has(key)) all.push(element);
      keys.add(key);
    }
    return new SetList(all.length, (i) => all[i] ?? null);
  }
}

/** Map lists are equal if elements with the same keys are equal, in any order. A sum replaces elements by key and appends the others. */
class MapList extends SchemaList {
  readonly #names: readonly string[];

  constructor(size: number, read: (index: number) => Value, names: readonly string[]) {
    super(size, read);
    this.#names = names;
  }

  #keyOf(element: Value): string {
    if (!(element instanceof MapValue)) return '';
    const keys = this.#names.map((name) => element.get(escapeProperty(name) ?? name));
    return JSON.stringify(keys.map((key) => (key === undefined ? null : scalarKey(key))));
  }

  override equalTo(other: Value): boolean {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    const byKey = new Map(elements(this).map((element) => [this.#keyOf(element), element]));
    return elements(other).every((element) => {
      const own = byKey.get(this.#keyOf(element));
      return own !== undefined && equal(own, element);
    });
  }

  override concat(other: ListValue): Result {
    const byKey = new Map(elements(this).map((element) => [this.#keyOf(element), element]));
    for (const element of elements(other)) byKey.set(this.#keyOf(element), element);
    const all = [...byKey.values()];
    return new MapList(all.length, (i) => all[i] ?? null, this.#names);
  }
}

import { ListValue, MapValue, type Value } from '#lib/api/cel/values/value.ts';
import { type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { isFloatAt } from '#lib/machinery/number-literals.ts';

/** An object's value for expressions without a schema. Parts are converted on access. */
export function dynamicValue(value: Json | undefined): Value {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return new DynamicList(value);
  if (typeof value === 'object') return new DynamicMap(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** A part of a value. A number is an int unless Go decodes it as a float64. */
const partOf = (container: Json[] | JsonObject, key: string | number, value: Json | undefined): Value =>
  typeof value === 'number' && isFloatAt(container, key) ? value : dynamicValue(value);

/** The already converted items of a list or map, shared by all expressions. */
class DynamicList extends ListValue {
  readonly #items: Json[];
  readonly #made: Value[] = [];

  constructor(items: Json[]) {
    super();
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  get(index: number): Value {
    const known = this.#made[index];
    return known === undefined ? (this.#made[index] = partOf(this.#items, index, this.#items[index])) : known;
  }
}

class DynamicMap extends MapValue {
  readonly #object: JsonObject;
  readonly #made = new Map<string, Value>();

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const value = ownField(this.#object, key);
    if (value === undefined) return undefined;
    const made = partOf(this.#object, key, value);
    this.#made.set(key, made);
    return made;
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#object);
  }
}

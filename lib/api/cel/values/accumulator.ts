import { keyOf } from './map.ts';
import { textOf } from './text-of.ts';
import { CelError, ListValue, MapValue, type Result, type Value } from './value.ts';

/** The list that a comprehension builds. Elements are added in place until it is frozen, so building n elements is O(n). */
export class ListAccumulator extends ListValue {
  readonly #elements: Value[] = [];
  frozen = false;

  get size(): number {
    return this.#elements.length;
  }

  get(index: number): Value {
    return this.#elements[index] ?? null;
  }

  add(list: ListValue): this {
    for (let i = 0; i < list.size; i++) this.#elements.push(list.get(i));
    return this;
  }
}

/** The map that a comprehension builds. */
export class MapAccumulator extends MapValue {
  readonly #entries = new Map<unknown, readonly [Value, Value]>();
  frozen = false;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(keyOf(key))?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  insert(key: Value, value: Value): Result {
    const form = keyOf(key);
    if (form === undefined) return new CelError('no such overload');
    if (this.#entries.has(form)) return new CelError(`insert failed: key ${textOf(key)} already exists`);
    this.#entries.set(form, [key, value]);
    return this;
  }
}

/** The concatenation of two lists, without copying. */
export class ConcatList extends ListValue {
  readonly #left: ListValue;
  readonly #right: ListValue;
  readonly size: number;

  constructor(left: ListValue, right: ListValue) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  get(index: number): Value {
    return index < this.#left.size ? this.#left.get(index) : this.#right.get(index - this.#left.size);
  }
}

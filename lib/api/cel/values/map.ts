import { MapValue, Uint, type Value } from './value.ts';

type Key = string | boolean | bigint;

/** Returns the normal form, which is the same for equal keys: 1, 1u and 1.0 are one key. Undefined for a value that cannot be a key. */
export function keyOf(value: Value): Key | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return undefined;
}

class HashMap extends MapValue {
  readonly #entries: ReadonlyMap<Key, readonly [Value, Value]>;

  constructor(entries: ReadonlyMap<Key, readonly [Value, Value]>) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const form = keyOf(key);
    return form === undefined ? undefined : this.#entries.get(form)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Returns a map of these entries, with later ones taking precedence. Leaves out values that cannot be keys. */
export function mapOf(entries: Iterable<readonly [Value, Value]>): MapValue {
  const byKey = new Map<Key, readonly [Value, Value]>();
  for (const entry of entries) {
    const form = keyOf(entry[0]);
    if (form !== undefined) byKey.set(form, entry);
  }
  return new HashMap(byKey);
}

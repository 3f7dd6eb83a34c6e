/** A map with a maximum number of entries. Evicts the entries that were set least recently. */
export class BoundedMap<V> {
  readonly #most: number;
  readonly #entries = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** The entries in the order in which they were set, oldest first. Entries may be deleted during iteration. */
  entries(): Iterable<[string, V]> {
    return this.#entries.entries();
  }
}

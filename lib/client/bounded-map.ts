/** A map that forgets the entries that were set longest ago once it holds more than a number of them. */
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

  /** The entries, the one that was set longest ago first. Entries may be deleted meanwhile. */
  entries(): Iterable<[string, V]> {
    return this.#entries.entries();
  }
}

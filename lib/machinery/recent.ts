/** An LRU cache for values that are expensive to make, limited by their total weight. */
export class Recent<K, V> {
  readonly #limit: number;
  readonly #held = new Map<K, { readonly value: V; readonly weight: number }>();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the value of a key. If it is not cached, makes it with the given weight. */
  get(key: K, weight: number, make: () => V): V {
    const known = this.#held.get(key);
    const entry = known ?? { value: make(), weight };
    this.#held.delete(key);
    this.#held.set(key, entry);
    if (known === undefined) this.#weight += weight;
    this.#shrink();
    return entry.value;
  }

  /** Keeps the newest value even if it alone exceeds the limit, because it is in use. */
  #shrink(): void {
    for (const [key, { weight }] of this.#held) {
      if (this.#weight <= this.#limit || this.#held.size === 1) return;
      this.#held.delete(key);
      this.#weight -= weight;
    }
  }
}

/** Values that are dear to make, of weight at most a limit together: who was not asked for the longest goes first. */
export class Recent<K, V> {
  readonly #limit: number;
  readonly #held = new Map<K, { readonly value: V; readonly weight: number }>();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value of a key, made with the given weight where it is not held. */
  get(key: K, weight: number, make: () => V): V {
    const known = this.#held.get(key);
    const entry = known ?? { value: make(), weight };
    this.#held.delete(key);
    this.#held.set(key, entry);
    if (known === undefined) this.#weight += weight;
    this.#shrink();
    return entry.value;
  }

  /** Also the newest stays where it alone is too heavy: it is in use. */
  #shrink(): void {
    for (const [key, { weight }] of this.#held) {
      if (this.#weight <= this.#limit || this.#held.size === 1) return;
      this.#held.delete(key);
      this.#weight -= weight;
    }
  }
}

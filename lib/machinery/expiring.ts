/** A cache of values that expire. Drops the oldest ones when it is full. */
export class Expiring<V> {
  readonly #max: number;
  readonly #held = new Map<string, { readonly value: V; readonly until: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, now: number): V | undefined {
    const entry = this.#held.get(key);
    return entry !== undefined && now < entry.until ? entry.value : undefined;
  }

  set(key: string, value: V, until: number): void {
    this.#held.delete(key);
    this.#held.set(key, { value, until });
    if (this.#held.size <= this.#max) return;
    const [oldest] = this.#held.keys();
    if (oldest !== undefined) this.#held.delete(oldest);
  }
}

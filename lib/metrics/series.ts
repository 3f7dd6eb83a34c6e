/** Series that one metric keeps: names from requests are bounded before they come here, this is the last fence. */
const MAX_SERIES = 20_000;

/** The state of each combination of label values; what is beyond the bound is told to nobody. */
export class Series<T> {
  readonly #make: () => T;
  readonly #states = new Map<string, { readonly values: readonly string[]; readonly state: T }>();

  constructor(make: () => T) {
    this.#make = make;
  }

  at(values: readonly string[]): T {
    const key = values.join('\0');
    const known = this.#states.get(key);
    if (known !== undefined) return known.state;
    const state = this.#make();
    if (this.#states.size < MAX_SERIES) this.#states.set(key, { values, state });
    return state;
  }

  entries(): Iterable<{ readonly values: readonly string[]; readonly state: T }> {
    return this.#states.values();
  }
}

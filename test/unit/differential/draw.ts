import { randomFrom } from '#test/store/random.ts';

/** Random choices that a seed determines. The same seed always results in the same case. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
  }

  /** An integer of at least `low` and less than `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low));
  }

  /** One of the values, with equal probability. Throws RangeError for an empty list. */
  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('nothing to pick from');
    return values[this.between(0, values.length)] as T;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A random number of results within the bounds, `high` excluded. */
  several<T>(low: number, high: number, one: (index: number) => T): T[] {
    return Array.from({ length: this.between(low, high) }, (_, index) => one(index));
  }
}

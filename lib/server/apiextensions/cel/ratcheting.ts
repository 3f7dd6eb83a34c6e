import type { Correlation } from '#lib/api/schema/correlation.ts';

/** The relation of a value in an update to the old object: upstream's ratchetingOptions (KEP-4008). */
export class Ratcheting {
  readonly #current: Correlation | undefined;
  readonly #parent: Correlation | undefined;

  /** `parent` is the nearest ancestor that correlates. */
  constructor(current: Correlation | undefined, parent?: Correlation) {
    this.#current = current;
    this.#parent = parent;
  }

  /** Whether the value, or its nearest correlating ancestor, is unchanged. */
  unchanged(): boolean {
    return (this.#current ?? this.#parent)?.unchanged() ?? false;
  }

  key(field: string): Ratcheting {
    if (this.#current === undefined) return this;
    // Both objects were converted to one version, so apiVersion and kind do not indicate a change.
    if (this.#parent === undefined && (field === 'apiVersion' || field === 'kind')) return new Ratcheting(undefined);
    return new Ratcheting(this.#current.key(field), this.#current);
  }

  index(i: number): Ratcheting {
    return this.#current === undefined ? this : new Ratcheting(this.#current.index(i), this.#current);
  }

  /** For rules within allOf, only the surrounding value determines ratcheting. */
  uncorrelated(): Ratcheting {
    return new Ratcheting(undefined, this.#parent);
  }
}

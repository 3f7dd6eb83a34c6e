import type { Correlation } from '#lib/api/schema/correlation.ts';

/** Where a value of an update stands to the old object: upstream's ratchetingOptions (KEP-4008). */
export class Ratcheting {
  readonly #current: Correlation | undefined;
  readonly #parent: Correlation | undefined;

  /** `parent` is the nearest value above that correlates. */
  constructor(current: Correlation | undefined, parent?: Correlation) {
    this.#current = current;
    this.#parent = parent;
  }

  /** Whether the value, or the nearest above it that correlates, is as it was. */
  unchanged(): boolean {
    return (this.#current ?? this.#parent)?.unchanged() ?? false;
  }

  key(field: string): Ratcheting {
    if (this.#current === undefined) return this;
    // Both objects were converted to one version: its name says nothing of a change.
    if (this.#parent === undefined && (field === 'apiVersion' || field === 'kind')) return new Ratcheting(undefined);
    return new Ratcheting(this.#current.key(field), this.#current);
  }

  index(i: number): Ratcheting {
    return this.#current === undefined ? this : new Ratcheting(this.#current.index(i), this.#current);
  }

  /** Rules within allOf are forgiven by what surrounds the value alone. */
  uncorrelated(): Ratcheting {
    return new Ratcheting(undefined, this.#parent);
  }
}

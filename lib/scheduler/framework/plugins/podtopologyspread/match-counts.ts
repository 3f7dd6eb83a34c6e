import type { Domains } from '../shared/domain-tally.ts';

/** Counts of matching pods by domain, with the changes of a trial on top: upstream's TpValueToMatchNum and criticalPaths. */
export class MatchCounts {
  readonly #domains: Domains;
  readonly #counts: Domains;
  readonly #changed: Map<string, number>;
  #min: number | undefined;

  /** `domains` holds all domains, `counts` those with matching pods. */
  constructor(domains: Domains, counts: Domains, changed: ReadonlyMap<string, number> = new Map()) {
    this.#domains = domains;
    this.#counts = counts;
    this.#changed = new Map(changed);
  }

  clone(): MatchCounts {
    return new MatchCounts(this.#domains, this.#counts, this.#changed);
  }

  /** The number of domains. */
  get size(): number {
    return this.#domains.size;
  }

  of(domain: string): number {
    return this.#changed.get(domain) ?? this.#counts.get(domain) ?? 0;
  }

  add(domain: string, delta: number): void {
    this.#changed.set(domain, this.of(domain) + delta);
    this.#min = undefined;
  }

  /** The lowest count of any domain; Infinity if there are no domains. */
  min(): number {
    return (this.#min ??= Math.min(...this.#changed.values(), this.#minOfUnchanged()));
  }

  #minOfUnchanged(): number {
    let empty = this.#domains.size - this.#counts.size;
    for (const domain of this.#changed.keys()) if (!this.#counts.has(domain)) empty--;
    if (empty > 0) return 0;
    let min = Infinity;
    for (const [domain, count] of this.#counts) if (count < min && !this.#changed.has(domain)) min = count;
    return min;
  }
}

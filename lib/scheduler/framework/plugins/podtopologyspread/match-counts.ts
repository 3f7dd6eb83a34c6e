import type { Domains } from '../shared/domain-tally.ts';

/** Matching pods by domain, with what would change over what is: upstream's TpValueToMatchNum and criticalPaths. */
export class MatchCounts {
  readonly #domains: Domains;
  /** The two domains with the fewest, ascending: for changes in one domain they are all that has to be looked at. */
  readonly #lowest: readonly (readonly [string, number])[];
  readonly #changed: Map<string, number>;
  #min: number | undefined;

  private constructor(domains: Domains, lowest: MatchCounts['lowest'], changed: ReadonlyMap<string, number>) {
    this.#domains = domains;
    this.#lowest = lowest;
    this.#changed = new Map(changed);
  }

  static of(domains: Domains): MatchCounts {
    return new MatchCounts(domains, lowestTwo(domains), new Map());
  }

  get lowest(): readonly (readonly [string, number])[] {
    return this.#lowest;
  }

  clone(): MatchCounts {
    return new MatchCounts(this.#domains, this.#lowest, this.#changed);
  }

  /** How many domains there are. */
  get size(): number {
    return this.#domains.size;
  }

  of(domain: string): number {
    return this.#changed.get(domain) ?? this.#domains.get(domain)?.count ?? 0;
  }

  add(domain: string, delta: number): void {
    this.#changed.set(domain, this.of(domain) + delta);
    this.#min = undefined;
  }

  /** What the domain with the fewest has; Infinity where there is none. */
  min(): number {
    return (this.#min ??= Math.min(...this.#changed.values(), this.#minOfUnchanged()));
  }

  #minOfUnchanged(): number {
    const known = this.#lowest.find(([domain]) => !this.#changed.has(domain));
    if (known !== undefined) return known[1];
    let min = Infinity;
    if (this.#domains.size <= this.#lowest.length) return min;
    for (const [domain, { count }] of this.#domains) if (!this.#changed.has(domain)) min = Math.min(min, count);
    return min;
  }
}

function lowestTwo(domains: Domains): (readonly [string, number])[] {
  let [first, second] = [Infinity, Infinity];
  let [firstDomain, secondDomain] = ['', ''];
  for (const [domain, { count }] of domains) {
    if (count < first) {
      [second, secondDomain] = [first, firstDomain];
      [first, firstDomain] = [count, domain];
    } else if (count < second) [second, secondDomain] = [count, domain];
  }
  const both = [[firstDomain, first] as const, [secondDomain, second] as const];
  return both.slice(0, domains.size);
}

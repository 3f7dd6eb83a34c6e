import type { Domains } from '../shared/domain-tally.ts';

type Labels = Readonly<Record<string, string>>;

/** A term and the domains of the pods that it counts. */
export interface Counted {
  readonly topologyKey: string;
  readonly domains: Domains;
}

/** Counts pods by topology key and domain, with the changes of a trial on top: upstream's topologyToMatchedTermCount. */
export class TermCounts {
  readonly #counted: readonly Counted[];
  readonly #changed: Map<string, Map<string, number>>;
  readonly #keys: Set<string>;

  constructor(counted: readonly Counted[], changed: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map()) {
    this.#counted = counted;
    this.#changed = new Map([...changed].map(([key, domains]) => [key, new Map(domains)]));
    this.#keys = new Set([...counted.map(({ topologyKey }) => topologyKey), ...changed.keys()]);
  }

  clone(): TermCounts {
    return new TermCounts(this.#counted, this.#changed);
  }

  /** Adds `delta` to the count of the node's domain for the key. Ignores a node without that label. */
  add(topologyKey: string, labels: Labels, delta: number): void {
    const domain = labels[topologyKey];
    if (domain === undefined) return;
    const domains = this.#changed.get(topologyKey) ?? new Map<string, number>();
    domains.set(domain, (domains.get(domain) ?? 0) + delta);
    this.#changed.set(topologyKey, domains);
    this.#keys.add(topologyKey);
  }

  of(topologyKey: string, domain: string): number {
    let count = this.#changed.get(topologyKey)?.get(domain) ?? 0;
    for (const one of this.#counted) {
      if (one.topologyKey === topologyKey) count += one.domains.get(domain) ?? 0;
    }
    return count;
  }

  /** Whether any of the node's domains, for any key, has a counted pod. */
  reaches(labels: Labels): boolean {
    for (const key of this.#keys) {
      const domain = labels[key];
      if (domain !== undefined && this.of(key, domain) > 0) return true;
    }
    return false;
  }

  /** Whether all counts are zero. */
  isEmpty(): boolean {
    for (const { topologyKey, domains } of this.#counted) {
      for (const domain of domains.keys()) if (this.of(topologyKey, domain) > 0) return false;
    }
    for (const [topologyKey, domains] of this.#changed) {
      for (const domain of domains.keys()) if (this.of(topologyKey, domain) > 0) return false;
    }
    return true;
  }
}

import type { Domains } from '../shared/domain-tally.ts';

type Labels = Readonly<Record<string, string>>;

/** A term that pods are counted for. */
export interface Counted {
  readonly topologyKey: string;
  readonly domains: Domains;
}

/** Pods by topology key and domain, with what would change over what is: upstream's topologyToMatchedTermCount. */
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

  /** Counts `delta` more in the node's domain of the key, if it is in one. */
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

  /** Whether some are in a domain of the node, of whatever key. */
  reaches(labels: Labels): boolean {
    for (const key of this.#keys) {
      const domain = labels[key];
      if (domain !== undefined && this.of(key, domain) > 0) return true;
    }
    return false;
  }

  /** Whether there are none anywhere. */
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

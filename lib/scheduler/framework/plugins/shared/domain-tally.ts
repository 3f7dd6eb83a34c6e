import type { NodeInfo } from '../../node-info.ts';

/** What one node adds to a count: so many pods in one topology domain. */
export interface Share<Of> {
  /** What is counted: shares of the same key add up. */
  readonly key: string;
  readonly of: Of;
  readonly domain: string;
  /** May be 0: the domain is there, and empty. */
  readonly count: number;
}

export interface Domain {
  readonly count: number;
  /** How many shares it has. */
  readonly shares: number;
}

/** Domains by name; one that has no shares is not there. */
export type Domains = ReadonlyMap<string, Domain>;

interface Group<Of> {
  readonly of: Of;
  readonly domains: Map<string, Domain>;
}

interface Held<Of> {
  readonly generation: number;
  readonly shares: readonly Share<Of>[];
}

const NO_DOMAINS: Domains = new Map();

/**
 * Counts by topology domain, kept from one attempt to the next: only nodes that changed since are looked at again, by their
 * generation. What it gives changes with the next `update`.
 */
export class DomainTally<Of> {
  readonly #sharesOf: (node: NodeInfo) => readonly Share<Of>[];
  readonly #groups = new Map<string, Group<Of>>();
  /** In the order of the nodes. */
  #held: Held<Of>[] = [];

  /** `sharesOf` has to follow from the node alone. */
  constructor(sharesOf: (node: NodeInfo) => readonly Share<Of>[]) {
    this.#sharesOf = sharesOf;
  }

  /** Makes the counts those of these nodes. */
  update(nodes: readonly NodeInfo[]): this {
    const changed = this.#changed(nodes);
    const left = [...changed.flatMap((i) => this.#held[i] ?? []), ...this.#held.slice(nodes.length)];
    const moved = new Map(left.map((one) => [one.generation, one]));
    this.#held.length = nodes.length;
    for (const i of changed) {
      const node = nodes[i] as NodeInfo;
      const known = moved.get(node.generation);
      moved.delete(node.generation);
      this.#held[i] = known ?? this.#add(node);
    }
    for (const { shares } of moved.values()) for (const share of shares) this.#count(share, -1);
    return this;
  }

  /** What is counted, each with its domains. */
  groups(): Iterable<{ readonly of: Of; readonly domains: Domains }> {
    return this.#groups.values();
  }

  domains(key: string): Domains {
    return this.#groups.get(key)?.domains ?? NO_DOMAINS;
  }

  /** Places where another node is now, or another state of it. */
  #changed(nodes: readonly NodeInfo[]): number[] {
    const changed: number[] = [];
    for (let i = 0; i < nodes.length; i++) if (nodes[i]?.generation !== this.#held[i]?.generation) changed.push(i);
    return changed;
  }

  #add(node: NodeInfo): Held<Of> {
    const shares = this.#sharesOf(node);
    for (const share of shares) this.#count(share, 1);
    return { generation: node.generation, shares };
  }

  #count({ key, of, domain, count }: Share<Of>, sign: 1 | -1): void {
    const group = this.#groups.get(key) ?? { of, domains: new Map<string, Domain>() };
    const before = group.domains.get(domain) ?? { count: 0, shares: 0 };
    const after = { count: before.count + sign * count, shares: before.shares + sign };
    if (after.shares > 0) group.domains.set(domain, after);
    else group.domains.delete(domain);
    if (group.domains.size > 0) this.#groups.set(key, group);
    else this.#groups.delete(key);
  }
}

import type { StateData, StateKey } from '../../cycle-state.ts';
import { MAX_NODE_SCORE, type NodeScore } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { Domains, DomainTally } from '../shared/domain-tally.ts';
import { type Constraint, HOSTNAME, hasAllKeys } from './constraints.ts';

interface Weighed {
  readonly constraint: Constraint;
  readonly domains: Domains;
  /** Grows with the number of domains, so that many small domains do not outweigh a few large ones. */
  readonly weight: number;
}

/** The key of PreScore's state. */
export const SCORE_STATE: StateKey<ScoreState> = { name: 'PreScorePodTopologySpread' };

/** The spread of pods over the domains of the feasible nodes. */
export class ScoreState implements StateData {
  readonly #weighed: readonly Weighed[];
  /** Nodes without all topology keys, if all are required. */
  readonly #ignored: ReadonlySet<string>;

  constructor(
    constraints: readonly Constraint[],
    nodes: readonly NodeInfo[],
    { tally, needsAllKeys }: { readonly tally: DomainTally<undefined>; readonly needsAllKeys: boolean },
  ) {
    const scored = needsAllKeys ? nodes.filter(({ labels }) => hasAllKeys(labels, constraints)) : nodes;
    const names = new Set(scored.map(({ name }) => name));
    this.#ignored = new Set(nodes.flatMap(({ name }) => (names.has(name) ? [] : [name])));
    this.#weighed = constraints.map((constraint, i) => ({
      constraint,
      domains: tally.domains(String(i)),
      weight: Math.log(sizeOf(constraint, scored) + 2),
    }));
  }

  clone(): this {
    return this;
  }

  /** Returns a score that grows with the number of matching pods. `normalize` inverts it. */
  score({ name, labels }: NodeInfo): number {
    if (this.#ignored.has(name)) return 0;
    let score = 0;
    for (const { constraint, domains, weight } of this.#weighed) {
      const value = labels[constraint.topologyKey];
      if (value === undefined) continue;
      const count = domains.get(constraint.topologyKey === HOSTNAME ? name : value) ?? 0;
      score += count * weight + (constraint.maxSkew - 1);
    }
    return Math.round(score);
  }

  normalize(scores: NodeScore[]): void {
    const counted = scores.filter(({ name }) => !this.#ignored.has(name));
    const min = counted.reduce((least, { score }) => Math.min(least, score), Infinity);
    const max = counted.reduce((most, { score }) => Math.max(most, score), 0);
    for (const one of scores) {
      if (this.#ignored.has(one.name)) one.score = 0;
      else one.score = max === 0 ? MAX_NODE_SCORE : Math.floor((MAX_NODE_SCORE * (max + min - one.score)) / max);
    }
  }
}

function sizeOf({ topologyKey }: Constraint, nodes: readonly NodeInfo[]): number {
  if (topologyKey === HOSTNAME) return nodes.length;
  return new Set(nodes.map(({ labels }) => labels[topologyKey] ?? '')).size;
}

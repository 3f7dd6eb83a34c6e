import type { StateData, StateKey } from '../../cycle-state.ts';
import { MAX_NODE_SCORE, type NodeScore } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { Group } from '../shared/domain-tally.ts';
import type { Weighted } from './counting.ts';

/** A weighted term with the domains of the pods that match it or have it. */
export type Scored = Group<Weighted>;

/** The key of PreScore's state. */
export const SCORE_STATE: StateKey<ScoreState> = { name: 'PreScoreInterPodAffinity' };

/** Scores of topology domains. */
export class ScoreState implements StateData {
  readonly #scored: readonly Scored[];

  constructor(scored: readonly Scored[]) {
    this.#scored = scored;
  }

  clone(): this {
    return this;
  }

  /** The sum of the pods' weights in the node's domains. Negative if the pod should avoid the node. */
  score({ labels }: NodeInfo): number {
    let score = 0;
    for (const { of, domains } of this.#scored) {
      const domain = labels[of.term.topologyKey];
      if (domain !== undefined) score += of.weight * (domains.get(domain) ?? 0);
    }
    return score;
  }
}

/** Maps the lowest score to 0 and the highest to the maximum. Equal scores all become 0. */
export function normalize(scores: NodeScore[]): void {
  const min = scores.reduce((least, { score }) => Math.min(least, score), Infinity);
  const max = scores.reduce((most, { score }) => Math.max(most, score), -Infinity);
  for (const one of scores) {
    one.score = max > min ? Math.trunc(MAX_NODE_SCORE * ((one.score - min) / (max - min))) : 0;
  }
}

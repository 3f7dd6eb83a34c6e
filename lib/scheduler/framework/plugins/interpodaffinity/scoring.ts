import type { StateData, StateKey } from '../../cycle-state.ts';
import { MAX_NODE_SCORE, type NodeScore } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { Group } from '../shared/domain-tally.ts';
import type { Weighted } from './counting.ts';

/** Terms, and where the pods are that they are about or, if they are theirs, that have them. */
export type Scored = Group<Weighted>;

/** The key of the data of PreScore. */
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

  /** The weights of the pods in the node's domains: below 0 where it had better be elsewhere. */
  score({ labels }: NodeInfo): number {
    let score = 0;
    for (const { of, domains } of this.#scored) {
      const domain = labels[of.term.topologyKey];
      if (domain !== undefined) score += of.weight * (domains.get(domain) ?? 0);
    }
    return score;
  }
}

/** From 0, the worst of them, to the highest, the best; where all are equal they are worth nothing. */
export function normalize(scores: NodeScore[]): void {
  const min = scores.reduce((least, { score }) => Math.min(least, score), Infinity);
  const max = scores.reduce((most, { score }) => Math.max(most, score), -Infinity);
  for (const one of scores) {
    one.score = max > min ? Math.trunc(MAX_NODE_SCORE * ((one.score - min) / (max - min))) : 0;
  }
}

import { MAX_NODE_SCORE, type NodeScore } from '../../interface.ts';

/** Scales scores from [0, highest] to the score range, in place. With `reverse` the highest becomes 0. Upstream's DefaultNormalizeScore. */
export function normalizeScores(scores: readonly NodeScore[], { reverse }: { readonly reverse: boolean }): undefined {
  const greatest = scores.reduce((most, { score }) => Math.max(most, score), 0);
  for (const one of scores) {
    const scaled = greatest === 0 ? 0 : Math.trunc((MAX_NODE_SCORE * one.score) / greatest);
    one.score = reverse ? MAX_NODE_SCORE - scaled : scaled;
  }
}

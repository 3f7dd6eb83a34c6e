import { quote } from '#lib/machinery/go.ts';
import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import { MAX_NODE_SCORE } from '../interface.ts';
import { type ExtensionPoints, type PluginSets, ProfileError } from './extension-points.ts';
import type { Weights } from './score.ts';

/** Upstream's MaxTotalScore. */

/** The weights of a profile's plugins. A weight under Score overrides one under MultiPoint. The default is 1. */
export function scoreWeights(
  { plugins }: { readonly plugins: PluginSets },
  { score }: Pick<ExtensionPoints, 'score'>,
): Weights {
  const weights = new Map<string, number>();
  const scoring = new Set(score.map(({ name }) => name));
  for (const { name, weight } of [...plugins.score.enabled, ...plugins.multiPoint.enabled])
    if (scoring.has(name) && !weights.has(name)) weights.set(name, weight === undefined || weight === 0 ? 1 : weight);
  const total = [...weights.values()].reduce((sum, weight) => sum + BigInt(weight) * BigInt(MAX_NODE_SCORE), 0n);
  if (total > MAX_INT64) throw new ProfileError('score plugins: total score of Score plugins could overflow');
  for (const { name } of score)
    if (!weights.has(name)) throw new ProfileError(`score plugin ${quote(name)} is not configured with weight`);
  return weights;
}

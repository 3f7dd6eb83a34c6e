import { errorOf, type Search } from './find-nodes.ts';
import type { Extender } from './framework/extender.ts';
import { MAX_NODE_SCORE, type NodeScore } from './framework/interface.ts';
import type { NodeInfo } from './framework/node-info.ts';
import { runPreScorePlugins, runScorePlugins } from './framework/runtime/score.ts';

/** The highest score of an extender. */
const MAX_EXTENDER_PRIORITY = 10;

/** Scores the nodes for the pod. Throws SchedulingError. */
export async function prioritizeNodes(
  { framework, state, pod, kept }: Pick<Search, 'framework' | 'state' | 'pod' | 'kept'>,
  nodes: readonly NodeInfo[],
): Promise<readonly NodeScore[]> {
  const { points, weights, handle } = framework;
  if (handle.extenders.length === 0 && points.score.length === 0) return nodes.map(({ name }) => ({ name, score: 1 }));
  const scored = { state, pod, nodes, kept };
  const before = runPreScorePlugins(points.preScore, scored);
  if (before !== undefined) throw errorOf(before);
  const { totals, status } = runScorePlugins(points.score, weights, scored);
  if (status !== undefined) throw errorOf(status);
  const interested = handle.extenders.filter((one) => one.does.prioritize && one.isInterested(pod.pod));
  if (interested.length === 0) return totals;
  const extended = await Promise.all(interested.map((extender) => scoresOf(extender, pod.pod, nodes)));
  return totals.map(({ name, score }) => ({
    name,
    score: extended.reduce((sum, scores) => sum + (scores.get(name) ?? 0), score),
  }));
}

/** An extender that fails does not contribute scores. */
async function scoresOf(
  extender: Extender,
  ...request: Parameters<Extender['prioritize']>
): Promise<ReadonlyMap<string, number>> {
  const factor = extender.weight * (MAX_NODE_SCORE / MAX_EXTENDER_PRIORITY);
  const scores = await extender.prioritize(...request).catch(() => new Map<string, number>());
  return new Map([...scores].map(([name, score]) => [name, score * factor]));
}

/** Picks one of the best nodes with equal probability. */
export function selectHost(scores: readonly NodeScore[], random: () => number): string {
  const best = scores.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const among = scores.filter(({ score }) => score === best);
  return among[Math.floor(random() * among.length)]?.name ?? '';
}

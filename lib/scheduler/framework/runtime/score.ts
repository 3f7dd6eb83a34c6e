import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { CycleState } from '../cycle-state.ts';
import { MAX_NODE_SCORE, MIN_NODE_SCORE, type NodeScore } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, messageOf, type Outcome, outcomeOf, type Status } from '../status.ts';
import type { ExtensionPoints, With } from './extension-points.ts';

/** Weights by plugin. */
export type Weights = ReadonlyMap<string, number>;

/** The pod of an attempt and the nodes to score. */
export interface Scored {
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly nodes: readonly NodeInfo[];
}

/** Runs PreScore plugins. A plugin that skips does not score. */
export function runPreScorePlugins(plugins: ExtensionPoints['preScore'], { state, pod, nodes }: Scored): Outcome {
  state.skipScore.clear();
  for (const plugin of plugins) {
    const status = outcomeOf(() => plugin.preScore(state, pod, nodes));
    if (status?.code === 'Skip') state.skipScore.add(plugin.name);
    else if (status !== undefined)
      return errorStatus(`running PreScore plugin ${quote(plugin.name)}: ${messageOf(status)}`);
  }
  return undefined;
}

/** The weighted sum of all scores for each node, in node order, or the first error. */
export function runScorePlugins(
  plugins: ExtensionPoints['score'],
  weights: Weights,
  scored: Scored,
): { readonly totals: readonly NodeScore[]; readonly status?: Status } {
  const totals = scored.nodes.map(({ name }): NodeScore => ({ name, score: 0 }));
  for (const plugin of plugins) {
    if (scored.state.skipScore.has(plugin.name)) continue;
    const scores = scored.nodes.map(({ name }): NodeScore => ({ name, score: 0 }));
    const status = fill(plugin, scored, scores) ?? normalize(plugin, scored, scores) ?? outOfRange(plugin.name, scores);
    if (status !== undefined) return { totals, status };
    const weight = weights.get(plugin.name) ?? 1;
    scores.forEach(({ score }, i) => {
      const total = totals[i];
      if (total !== undefined) total.score += score * weight;
    });
  }
  return { totals };
}

function fill(plugin: With<'score'>, { state, pod, nodes }: Scored, scores: readonly NodeScore[]): Outcome {
  for (const [i, node] of nodes.entries()) {
    const score = scoreOf(plugin, state, pod, node);
    if (typeof score !== 'number') return failed('running Score plugins', plugin.name, score);
    const at = scores[i];
    if (at !== undefined) at.score = score;
  }
  return undefined;
}

function scoreOf(plugin: With<'score'>, state: CycleState, pod: PodInfo, node: NodeInfo): number | Status {
  try {
    return plugin.score(state, pod, node);
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

function normalize(plugin: With<'score'>, { state, pod }: Scored, scores: NodeScore[]): Outcome {
  const status = outcomeOf(() => plugin.normalizeScore?.(state, pod, scores));
  return status === undefined ? undefined : failed('running Normalize on Score plugins', plugin.name, status);
}

const failed = (step: string, plugin: string, status: Status): Status =>
  errorStatus(`${step}: plugin ${quote(plugin)} failed with: ${messageOf(status)}`);

function outOfRange(plugin: string, scores: readonly NodeScore[]): Outcome {
  const bad = scores.find(({ score }) => score > MAX_NODE_SCORE || score < MIN_NODE_SCORE);
  if (bad === undefined) return undefined;
  const range = `[${MIN_NODE_SCORE}, ${MAX_NODE_SCORE}]`;
  return errorStatus(
    `applying score defaultWeights on Score plugins: plugin ${quote(plugin)} returns an invalid score ${bad.score}, it should in the range of ${range} after normalizing`,
  );
}

import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { CycleState } from '../cycle-state.ts';
import { MAX_NODE_SCORE, MIN_NODE_SCORE, type NodeScore } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, messageOf, type Outcome, outcomeOf, type Status } from '../status.ts';
import type { ExtensionPoints, With } from './extension-points.ts';
import type { PodResults } from './kept-results.ts';

/** Weights by plugin. */
export type Weights = ReadonlyMap<string, number>;

/** The pod of an attempt and the nodes to score. */
export interface Scored {
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly nodes: readonly NodeInfo[];
  /** The kept results for the pod, if there are any. */
  readonly kept?: PodResults | undefined;
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
  const { nodes, state, kept } = scored;
  const totals = nodes.map(({ name }): NodeScore => ({ name, score: 0 }));
  const known = kept === undefined ? [] : nodes.map((node) => kept.scoresOn(node));
  for (const [position, plugin] of plugins.entries()) {
    if (state.skipScore.has(plugin.name)) continue;
    const raw = rawScores(plugin, scored, position, kept?.keepsScore(position) === true ? known : []);
    if (!Array.isArray(raw)) return { totals, status: raw };
    const scores = normalized(plugin, scored, raw);
    if (!Array.isArray(scores)) return { totals, status: scores };
    const status = outOfRange(plugin.name, scores);
    if (status !== undefined) return { totals, status };
    add(totals, scores, weights.get(plugin.name) ?? 1);
  }
  return { totals };
}

/** The scores of a plugin by node, or its first error. Uses the kept scores at the plugin's position, and adds those that it computes. */
function rawScores(
  plugin: With<'score'>,
  { state, pod, nodes }: Scored,
  position: number,
  known: readonly (number | undefined)[][],
): number[] | Status {
  const scores: number[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as NodeInfo;
    const ofNode = known[i];
    const score = ofNode?.[position] ?? scoreOf(plugin, state, pod, node);
    if (typeof score !== 'number') return failed('running Score plugins', plugin.name, score);
    if (ofNode !== undefined) ofNode[position] = score;
    scores.push(score);
  }
  return scores;
}

function add(totals: readonly NodeScore[], scores: readonly number[], weight: number): void {
  for (let i = 0; i < scores.length; i++) {
    const total = totals[i];
    if (total !== undefined) total.score += (scores[i] ?? 0) * weight;
  }
}

function scoreOf(plugin: With<'score'>, state: CycleState, pod: PodInfo, node: NodeInfo): number | Status {
  try {
    return plugin.score(state, pod, node);
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

function normalized(plugin: With<'score'>, { state, pod, nodes }: Scored, raw: number[]): number[] | Status {
  if (plugin.normalizeScore === undefined) return raw;
  const scores = nodes.map(({ name }, i): NodeScore => ({ name, score: raw[i] ?? 0 }));
  const status = outcomeOf(() => plugin.normalizeScore?.(state, pod, scores));
  if (status !== undefined) return failed('running Normalize on Score plugins', plugin.name, status);
  for (const [i, { score }] of scores.entries()) raw[i] = score;
  return raw;
}

const failed = (step: string, plugin: string, status: Status): Status =>
  errorStatus(`${step}: plugin ${quote(plugin)} failed with: ${messageOf(status)}`);

function outOfRange(plugin: string, scores: readonly number[]): Outcome {
  const bad = scores.find((score) => score > MAX_NODE_SCORE || score < MIN_NODE_SCORE);
  if (bad === undefined) return undefined;
  const range = `[${MIN_NODE_SCORE}, ${MAX_NODE_SCORE}]`;
  return errorStatus(
    `applying score defaultWeights on Score plugins: plugin ${quote(plugin)} returns an invalid score ${bad}, it should in the range of ${range} after normalizing`,
  );
}

import { Diagnosing } from '#lib/scheduler/diagnosis.ts';
import { findNodesThatPassFilters } from '#lib/scheduler/find-nodes.ts';
import { CycleState } from '#lib/scheduler/framework/cycle-state.ts';
import { MAX_NODE_SCORE } from '#lib/scheduler/framework/interface.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import type { Framework } from '#lib/scheduler/framework/runtime/framework.ts';
import { prioritizeNodes } from '#lib/scheduler/prioritize-nodes.ts';
import { preFiltered } from '#lib/scheduler/schedule-pod.ts';
import type { FeasibleNode } from './class-demand.ts';
import { FULL_COST } from './cost-model.ts';

/** The feasible nodes of a class, and the reasons why other nodes reject it. */
export interface ClassVerdict {
  readonly nodes: readonly FeasibleNode[];
  readonly diagnosis: Diagnosing;
}

/**
 * Runs the profile's filters for a class on every node of the snapshot, and the profile's scores on the nodes that pass. Yields to other
 * tasks of the process meanwhile. Throws SchedulingError if a plugin fails.
 */
export async function feasibleNodes(framework: Framework, pod: PodInfo): Promise<ClassVerdict> {
  const { nodes } = framework.handle.snapshot();
  const diagnosis = new Diagnosing(nodes);
  const search = { framework, state: new CycleState(), pod, diagnosis, percentageOfNodesToScore: 100, start: 0 };
  const candidates = preFiltered(search, nodes);
  if (candidates === undefined) return { nodes: [], diagnosis };
  const passing = await findNodesThatPassFilters(search, candidates);
  const scores = await prioritizeNodes(search, passing);
  const best = scores.reduce((most, { score }) => Math.max(most, score), 0);
  const index = new Map(nodes.map(({ name }, i) => [name, i]));
  const scale = FULL_COST / (MAX_NODE_SCORE * Math.max(1, weightOf(framework)));
  const found = passing.map((node, i) => ({
    node,
    index: index.get(node.name) ?? 0,
    preference: Math.round((best - (scores[i]?.score ?? best)) * scale),
  }));
  return { nodes: found, diagnosis };
}

const weightOf = ({ points, weights }: Framework): number =>
  points.score.reduce((sum, { name }) => sum + (weights.get(name) ?? 1), 0);

/** The state of an attempt for a pod that passes the filters on the node; undefined if it does not. Throws SchedulingError. */
export async function fitsOn(framework: Framework, pod: PodInfo, nodeName: string): Promise<CycleState | undefined> {
  const snapshot = framework.handle.snapshot();
  const { nodes } = snapshot;
  const node = snapshot.get(nodeName);
  if (node === undefined) return undefined;
  const state = new CycleState();
  const search = { framework, state, pod, diagnosis: new Diagnosing(nodes), percentageOfNodesToScore: 100, start: 0 };
  const candidates = preFiltered(search, nodes);
  if (candidates === undefined || (candidates !== nodes && !candidates.includes(node))) return undefined;
  const [passing] = await findNodesThatPassFilters(search, [node]);
  return passing === undefined ? undefined : state;
}

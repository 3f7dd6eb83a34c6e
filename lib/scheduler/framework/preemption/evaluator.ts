import type { CycleState } from '../cycle-state.ts';
import type { Victims } from '../extender.ts';
import { fitErrorMessage } from '../fit-error.ts';
import type { Handle, NodeToStatus, PostFilterResult } from '../interface.ts';
import type { PodInfo } from '../pod-info.ts';
import { newStatus, type Status } from '../status.ts';
import { askExtenders } from './ask-extenders.ts';
import { budgetOf } from './budget.ts';
import { dryRun, faultOf, type Search } from './dry-run.ts';
import { pickOneNode } from './pick-one-node.ts';

/** A node for a pod and its victims, or the reason why there is none. */
export type Evaluated =
  | { readonly nodeName: string; readonly victims: Victims }
  | { readonly nodeName?: undefined; readonly result?: PostFilterResult; readonly status: Status };

const NOT_HELPFUL = newStatus('UnschedulableAndUnresolvable', 'Preemption is not helpful for scheduling');

/** Finds the node with the fewest and least important victims: upstream's Evaluator. */
export async function evaluate(
  handle: Handle,
  { state, pod, filtered }: { readonly state: CycleState; readonly pod: PodInfo; readonly filtered: NodeToStatus },
  searchOf: (nodes: number) => Search,
): Promise<Evaluated> {
  const { nodes } = handle.snapshot();
  if (nodes.length === 0) return { status: newStatus('Error', 'no nodes available') };
  const potential = nodes.filter(({ name }) => filtered.get(name)?.code === 'Unschedulable');
  const budgets = potential.length === 0 ? [] : [...handle.lister('poddisruptionbudgets').list()].map(budgetOf);
  const { candidates, refused } = dryRun(handle, { state, pod, budgets }, potential, searchOf(potential.length));
  if (candidates.size === 0) {
    const message = fitErrorMessage({ nodes: nodes.length, filtered: refused, absent: NOT_HELPFUL });
    const fault = faultOf(refused);
    if (fault !== undefined) return { status: fault };
    return { result: { nominatedNodeName: '' }, status: newStatus('Unschedulable', message) };
  }
  const agreed = await askExtenders(handle.extenders, pod.pod, candidates);
  if ('code' in agreed) return { status: agreed };
  const nodeName = pickOneNode(agreed, handle.clock.now());
  const victims = nodeName === undefined ? undefined : agreed.get(nodeName);
  if (nodeName === undefined || victims === undefined) {
    return { status: newStatus('Unschedulable', 'no candidate node for preemption') };
  }
  return { nodeName, victims };
}

import { Diagnosing } from './diagnosis.ts';
import { errorOf, findNodesThatPassExtenders, findNodesThatPassFilters, type Search } from './find-nodes.ts';
import { EXTENDER_PLUGIN } from './framework/extender.ts';
import type { NodeInfo } from './framework/node-info.ts';
import { nominatedNodeNameOf } from './framework/places.ts';
import { runPreFilterPlugins } from './framework/runtime/pre-filter.ts';
import { isRejected, messageOf, newStatus } from './framework/status.ts';
import { prioritizeNodes, selectHost } from './prioritize-nodes.ts';

/** The chosen node, or the reason why there is none. */
export type ScheduleResult =
  | { readonly nodeName: string; readonly nextStart: number }
  | { readonly nodeName?: undefined; readonly diagnosis: Diagnosing; readonly nextStart: number };

/** Upstream's ErrNoNodesAvailable. */
export const NO_NODES_AVAILABLE = 'no nodes available to schedule pods';

/** Chooses a node: upstream's schedulePod. Throws SchedulingError, or the error of an extender. */
export async function schedulePod(attempt: Omit<Search, 'diagnosis'>): Promise<ScheduleResult> {
  const { framework, state, pod, start } = attempt;
  const { nodes } = framework.handle.snapshot();
  const diagnosis = new Diagnosing(nodes);
  const candidates = preFiltered({ ...attempt, diagnosis }, nodes);
  if (candidates === undefined) return { diagnosis, nextStart: start };
  const kept = framework.kept?.of(state, pod, nodes.length);
  const search: Search = { ...attempt, diagnosis, kept };
  const nominated = await onNominatedNode(search);
  const feasible = nominated.length > 0 ? nominated : await passing(search, candidates);
  const looked = nominated.length > 0 ? 0 : feasible.length + diagnosis.filtered.size;
  const nextStart = nodes.length === 0 ? 0 : (start + looked) % nodes.length;
  const [first, ...others] = feasible;
  if (first === undefined) return { diagnosis, nextStart };
  if (others.length === 0) return { nodeName: first.name, nextStart };
  const scores = await prioritizeNodes({ framework, state, pod, kept }, feasible);
  return { nodeName: selectHost(scores, () => framework.handle.random()), nextStart };
}

/**
 * The candidate nodes after PreFilter; undefined if no node can fit. Returns the same array if no plugin restricts it. Throws
 * SchedulingError.
 */
export function preFiltered(search: Search, nodes: readonly NodeInfo[]): readonly NodeInfo[] | undefined {
  const { framework, state, pod, diagnosis } = search;
  const { result, status, plugins } = runPreFilterPlugins(framework.points.preFilter, state, pod, nodes);
  for (const plugin of plugins) diagnosis.unschedulablePlugins.add(plugin);
  if (status !== undefined) {
    if (!isRejected(status)) throw errorOf(status);
    diagnosis.absent = status;
    diagnosis.preFilter = messageOf(status);
    diagnosis.blame(status);
    return undefined;
  }
  if (result === undefined) return nodes;
  const named = `node(s) didn't satisfy plugin(s) [${plugins.join(' ')}]`;
  diagnosis.absent = newStatus('UnschedulableAndUnresolvable', named);
  const snapshot = framework.handle.snapshot();
  return [...result.nodeNames].flatMap((name) => snapshot.get(name) ?? []);
}

/** The node that the pod is nominated for, if the pod fits there. */
async function onNominatedNode(search: Search): Promise<readonly NodeInfo[]> {
  const node = search.framework.handle.snapshot().get(nominatedNodeNameOf(search.pod.pod));
  if (node === undefined) return [];
  try {
    const feasible = await findNodesThatPassFilters(search, [node]);
    return await findNodesThatPassExtenders(search.framework.handle.extenders, search, feasible);
  } catch {
    return []; // the same filters run on all nodes next and report the error
  }
}

async function passing(search: Search, candidates: readonly NodeInfo[]): Promise<readonly NodeInfo[]> {
  const feasible = await findNodesThatPassFilters(search, candidates);
  const left = await findNodesThatPassExtenders(search.framework.handle.extenders, search, feasible);
  if (left.length !== feasible.length) search.diagnosis.unschedulablePlugins.add(EXTENDER_PLUGIN.name);
  return left;
}

import { inTurns, type Steps } from '#lib/machinery/steps.ts';
import type { Diagnosing } from './diagnosis.ts';
import type { CycleState } from './framework/cycle-state.ts';
import type { Extender } from './framework/extender.ts';
import type { Handle } from './framework/interface.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { filterWithAll, runFilterPlugins } from './framework/runtime/filter.ts';
import type { Framework } from './framework/runtime/framework.ts';
import type { PodResults } from './framework/runtime/kept-results.ts';
import { isRejected, newStatus, type Outcome, type Status } from './framework/status.ts';

/** Clusters with fewer nodes are searched completely. */
const MIN_FEASIBLE = 100;
const MIN_PERCENTAGE = 5;
/** The time in milliseconds that a search runs before it yields to other tasks. */
const SLICE = 10;

/** The number of feasible nodes, of `all`, at which a search stops. A percentage of 0 derives the share from the cluster size. */
export function numFeasibleNodesToFind(percentage: number, all: number): number {
  if (all < MIN_FEASIBLE) return all;
  const adaptive = Math.max(MIN_PERCENTAGE, 50 - Math.trunc(all / 125));
  return Math.max(MIN_FEASIBLE, Math.trunc((all * (percentage === 0 ? adaptive : percentage)) / 100));
}

/** One search for the nodes of a pod. */
export interface Search {
  readonly framework: Framework;
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly diagnosis: Diagnosing;
  /** The kept results for the pod, if there are any. */
  readonly kept?: PodResults | undefined;
  /** The percentage for profiles that do not set their own. */
  readonly percentageOfNodesToScore: number;
  /** The index of the first node to check. Each attempt starts after the last node of the previous one, so that all nodes are used. */
  readonly start: number;
}

/** An error that ends an attempt. Users see its `message`. */
export class SchedulingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchedulingError';
  }
}

/**
 * Finds enough nodes that pass all filters and records refusals in the diagnosis. Yields to other tasks of the process meanwhile. Throws
 * SchedulingError.
 */
export async function findNodesThatPassFilters(search: Search, nodes: readonly NodeInfo[]): Promise<NodeInfo[]> {
  const { framework, diagnosis, start } = search;
  const enough = enoughOf(search, nodes.length);
  const { handle } = framework;
  const turn = turnsOf(handle);
  const feasible: NodeInfo[] = [];
  for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
    const node = nodes[(start + i) % nodes.length];
    if (node === undefined) continue;
    const found = filtered(search, node);
    const status = found === undefined || 'code' in found ? found : await inTurns(found, turn);
    if (status === undefined) feasible.push(node);
    else if (isRejected(status)) diagnosis.refuse(node.name, status);
    else throw errorOf(status);
  }
  return feasible;
}

/** Runs all filters on a node. Returns the outcome, or steps that compute it. Uses kept results unless pods are nominated for the node. */
function filtered({ framework, state, pod, kept }: Search, node: NodeInfo): Outcome | Steps<Outcome> {
  const { handle } = framework;
  if (kept === undefined || handle.nominator.nominatedPodsForNode(node.name).length > 0)
    return handle.runFilterPluginsWithNominatedPods(state, pod, node);
  const status = kept.filter(node);
  if (status !== undefined) return status;
  const { others } = kept;
  if (others.some(({ filterSteps }) => filterSteps !== undefined)) return runFilterPlugins(others, state, pod, node);
  return filterWithAll(others, state, pod, node);
}

/** Yields if the search has run for a full slice since the last yield. */
function turnsOf({ clock, signal }: Pick<Handle, 'clock' | 'signal'>): () => Promise<void> | undefined {
  let since = clock.monotonic();
  return () => {
    if (clock.monotonic() - since < SLICE) return undefined;
    return clock.sleep(0, signal).then(() => void (since = clock.monotonic()));
  };
}

/** If no plugin scores nodes and no extender scores or filters them, one feasible node is enough. */
function enoughOf({ framework, percentageOfNodesToScore }: Search, all: number): number {
  const { extenders } = framework.handle;
  const scores = framework.points.score.length > 0 || extenders.some(({ does }) => does.prioritize);
  if (!scores && !extenders.some(({ does }) => does.filter)) return 1;
  return numFeasibleNodesToFind(framework.percentageOfNodesToScore ?? percentageOfNodesToScore, all);
}

/** The nodes that no extender refuses. Throws the error of an extender that is not ignorable. */
export async function findNodesThatPassExtenders(
  extenders: readonly Extender[],
  { pod, diagnosis }: Pick<Search, 'pod' | 'diagnosis'>,
  nodes: readonly NodeInfo[],
): Promise<readonly NodeInfo[]> {
  let feasible = nodes;
  for (const extender of extenders) {
    if (feasible.length === 0) break;
    if (extender.does.filter && extender.isInterested(pod.pod))
      feasible = await passing(extender, { pod, diagnosis }, feasible);
  }
  return feasible;
}

async function passing(
  extender: Extender,
  { pod, diagnosis }: Pick<Search, 'pod' | 'diagnosis'>,
  nodes: readonly NodeInfo[],
): Promise<readonly NodeInfo[]> {
  try {
    const { nodes: left, failed, failedAndUnresolvable } = await extender.filter(pod.pod, nodes);
    for (const [name, why] of failed) diagnosis.filtered.set(name, newStatus('Unschedulable', why));
    for (const [name, why] of failedAndUnresolvable)
      diagnosis.filtered.set(name, newStatus('UnschedulableAndUnresolvable', why));
    return left;
  } catch (error) {
    if (extender.ignorable) return nodes;
    throw error;
  }
}

/** Converts a status into an error with all its reasons. */
export const errorOf = ({ reasons }: Status): SchedulingError => new SchedulingError(reasons.join(', '));

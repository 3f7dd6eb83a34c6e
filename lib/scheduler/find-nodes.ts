import { inTurns } from '#lib/machinery/steps.ts';
import type { Diagnosing } from './diagnosis.ts';
import type { CycleState } from './framework/cycle-state.ts';
import type { Extender } from './framework/extender.ts';
import type { Handle } from './framework/interface.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { Framework } from './framework/runtime/framework.ts';
import { isRejected, newStatus, type Status } from './framework/status.ts';

/** Clusters of fewer nodes are looked at as a whole. */
const MIN_FEASIBLE = 100;
const MIN_PERCENTAGE = 5;
/** Milliseconds of work before others have their turn. */
const SLICE = 10;

/** How many nodes that fit are enough to choose from, of `all`. A percentage of 0 follows from the size of the cluster. */
export function numFeasibleNodesToFind(percentage: number, all: number): number {
  if (all < MIN_FEASIBLE) return all;
  const adaptive = Math.max(MIN_PERCENTAGE, 50 - Math.trunc(all / 125));
  return Math.max(MIN_FEASIBLE, Math.trunc((all * (percentage === 0 ? adaptive : percentage)) / 100));
}

/** One attempt to find nodes for a pod. */
export interface Search {
  readonly framework: Framework;
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly diagnosis: Diagnosing;
  /** Of nodes in all, where the profile says nothing of its own. */
  readonly percentageOfNodesToScore: number;
  /** Where to begin: attempts begin where the one before ended, so that all nodes have their turn. */
  readonly start: number;
}

/** A fault that ends an attempt; `message` is what users read. */
export class SchedulingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchedulingError';
  }
}

/**
 * As many nodes as are enough that all filters let pass; those that refuse are told to the diagnosis. Lets others in this process
 * through meanwhile. Throws SchedulingError.
 */
export async function findNodesThatPassFilters(search: Search, nodes: readonly NodeInfo[]): Promise<NodeInfo[]> {
  const { framework, state, pod, diagnosis, start } = search;
  const enough = enoughOf(search, nodes.length);
  const { handle } = framework;
  const turn = turnsOf(handle);
  const feasible: NodeInfo[] = [];
  for (let i = 0; i < nodes.length && feasible.length < enough; i++) {
    const node = nodes[(start + i) % nodes.length];
    if (node === undefined) continue;
    const status = await inTurns(handle.runFilterPluginsWithNominatedPods(state, pod, node), turn);
    if (status === undefined) feasible.push(node);
    else if (isRejected(status)) diagnosis.refuse(node.name, status);
    else throw errorOf(status);
  }
  return feasible;
}

/** Gives way where the search has worked for long since it last did. */
function turnsOf({ clock, signal }: Pick<Handle, 'clock' | 'signal'>): () => Promise<void> | undefined {
  let since = clock.monotonic();
  return () => {
    if (clock.monotonic() - since < SLICE) return undefined;
    return clock.sleep(0, signal).then(() => void (since = clock.monotonic()));
  };
}

/** Without scores the first that fits will do. */
function enoughOf({ framework, percentageOfNodesToScore }: Search, all: number): number {
  const { extenders } = framework.handle;
  const scores = framework.points.score.length > 0 || extenders.some(({ does }) => does.prioritize);
  if (!scores && !extenders.some(({ does }) => does.filter)) return 1;
  return numFeasibleNodesToFind(framework.percentageOfNodesToScore ?? percentageOfNodesToScore, all);
}

/** Those of the nodes that no extender refuses. Throws what one throws that must be heard. */
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

/** The error of a status, with all its reasons. */
export const errorOf = ({ reasons }: Status): SchedulingError => new SchedulingError(reasons.join(', '));

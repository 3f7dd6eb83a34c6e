import { messageOfError } from '#lib/machinery/error-message.ts';
import type { QueuedPod } from '#lib/scheduler/backend/queue/queued-pod.ts';
import { SchedulingError } from '#lib/scheduler/find-nodes.ts';
import { CycleState } from '#lib/scheduler/framework/cycle-state.ts';
import type { Framework } from '#lib/scheduler/framework/runtime/framework.ts';
import { type Attempt, fail, take } from '#lib/scheduler/schedule-one.ts';
import { NO_NODES_AVAILABLE } from '#lib/scheduler/schedule-pod.ts';
import type { Scheduling } from '#lib/scheduler/scheduling.ts';
import { classDemands, type WaitingClass } from './class-demand.ts';
import type { CostModel } from './cost-model.ts';
import { type ClassVerdict, feasibleNodes, fitsOn } from './feasible-nodes.ts';
import { solveRound } from './flow-network.ts';
import { jobOf } from './job-of.ts';
import { podSlots } from './machine-slots.ts';
import type { PoseidonMetrics } from './metrics.ts';
import { taskClassOf } from './task-class.ts';
import { unscheduledCosts } from './unscheduled-cost.ts';

/** The ports and settings of rounds. */
export interface RoundOptions {
  readonly scheduling: Scheduling;
  readonly framework: Framework;
  readonly model: CostModel;
  readonly metrics: PoseidonMetrics;
}

/** The pods of a class in a round. */
interface PodsOfClass {
  readonly pods: readonly QueuedPod[];
  readonly verdict: ClassVerdict;
}

/** The outcomes for the pods of a round. */
export interface RoundResult {
  /** The work that binds or requeues pods. Never rejects. */
  readonly rest: readonly Promise<void>[];
  /** Pods that this round did not place and the next round may place. */
  readonly again: readonly QueuedPod[];
}

/**
 * Places pods with a minimum-cost flow over the whole cluster: one round of Firmament. Runs the filters once for each class, and solves the
 * network. The network does not model resources that pods of different classes use together. Each placement is therefore checked with the
 * filters again, and the pods that pass are assumed. If no node passes the filters of a class, its pods are requeued with the reason.
 */
export async function runRound(options: RoundOptions, pods: readonly QueuedPod[]): Promise<RoundResult> {
  const { scheduling, framework, model, metrics } = options;
  const { nodes } = scheduling.cache.takeSnapshot();
  const rest: Promise<void>[] = [];
  const classes: PodsOfClass[] = [];
  for (const members of classesOf(pods)) {
    const verdict = await verdictOf(options, members, rest);
    if (verdict !== undefined) classes.push({ pods: members, verdict });
  }
  if (classes.length === 0) return { rest, again: [] };
  const begun = scheduling.clock.monotonic();
  const slots = new Map(nodes.map((node) => [node.name, podSlots(node)]));
  const flow = solveRound(classDemands(demandsOf(scheduling, classes), model), slots);
  metrics.solved(flow, (scheduling.clock.monotonic() - begun) / 1000);
  const places = classes.flatMap(({ pods: members }, i) =>
    members.map((queued, task): Place => ({ queued, node: flow.placements[i]?.[task] })),
  );
  return { rest, again: await placed({ scheduling, framework, metrics, rest }, places) };
}

/** Groups pods by class, each class in the order of the pods. */
function classesOf(pods: readonly QueuedPod[]): Iterable<readonly QueuedPod[]> {
  return Map.groupBy(pods, ({ podInfo }) => taskClassOf(podInfo)).values();
}

/** The verdict of the filters. If no node passes, requeues the pods of the class and returns undefined. */
async function verdictOf(
  { scheduling, framework }: RoundOptions,
  members: readonly QueuedPod[],
  rest: Promise<void>[],
): Promise<ClassVerdict | undefined> {
  const [first] = members;
  if (first === undefined) return undefined;
  const requeue = (failure: Parameters<typeof fail>[2]): void => {
    for (const queued of members) rest.push(fail(scheduling, attemptOf(scheduling, framework, queued), failure));
  };
  if (scheduling.cache.nodeCount === 0) {
    requeue({ reason: 'Unschedulable', message: NO_NODES_AVAILABLE, nominatedNodeName: '' });
    return undefined;
  }
  try {
    const verdict = await feasibleNodes(framework, first.podInfo);
    if (verdict.nodes.length > 0) return verdict;
    const { diagnosis } = verdict;
    requeue({ reason: 'Unschedulable', message: diagnosis.message, diagnosis, nominatedNodeName: '' });
  } catch (error) {
    if (!(error instanceof SchedulingError)) scheduling.reportFault(error);
    requeue({ reason: 'SchedulerError', message: messageOfError(error), nominatedNodeName: '' });
  }
  return undefined;
}

function demandsOf({ clock }: Scheduling, classes: readonly PodsOfClass[]): WaitingClass[] {
  const now = clock.monotonic();
  const waiting = classes.flatMap(({ pods }) =>
    pods.map(({ podInfo, initialAttempt = now }) => ({
      priority: podInfo.priority,
      seconds: (now - initialAttempt) / 1000,
    })),
  );
  const costs = unscheduledCosts(waiting);
  let next = 0;
  return classes.flatMap(({ pods, verdict: { nodes } }) => {
    const [first] = pods;
    const tasks = pods.map(({ podInfo }) => ({ job: jobOf(podInfo), unscheduledCost: costs[next++] ?? 0 }));
    return first === undefined ? [] : [{ pod: first.podInfo, tasks, nodes }];
  });
}

interface Place {
  readonly queued: QueuedPod;
  /** Undefined if the flow leaves the pod unscheduled. */
  readonly node: string | undefined;
}

interface Placing {
  readonly scheduling: Scheduling;
  readonly framework: Framework;
  readonly metrics: PoseidonMetrics;
  readonly rest: Promise<void>[];
}

/** Assumes each pod that passes the filters on its node. Returns the others. */
async function placed(
  { scheduling, framework, metrics, rest }: Placing,
  places: readonly Place[],
): Promise<QueuedPod[]> {
  let left = places;
  for (let isDone = false; !isDone; ) {
    const refused: Place[] = [];
    for (const place of left) {
      if (scheduling.signal.aborted) return [];
      const attempt = await attemptAt(scheduling, framework, place);
      if (attempt === undefined) refused.push(place);
      else {
        metrics.count('placed');
        rest.push(take(scheduling, attempt, place.node ?? ''));
      }
      await scheduling.pause();
    }
    isDone = refused.length === left.length || refused.every(({ node }) => node === undefined);
    left = refused;
  }
  for (const { node } of left) metrics.count(node === undefined ? 'unscheduled' : 'refused');
  return left.map(({ queued }) => queued);
}

/** The attempt of a pod if it passes the filters on its node, otherwise undefined. */
async function attemptAt(
  scheduling: Scheduling,
  framework: Framework,
  { queued, node }: Place,
): Promise<Attempt | undefined> {
  if (node === undefined) return undefined;
  scheduling.cache.takeSnapshot();
  try {
    const state = await fitsOn(framework, queued.podInfo, node);
    return state && attemptOf(scheduling, framework, queued, state);
  } catch {
    return undefined; // the next round's filters report the error
  }
}

const attemptOf = (
  { clock }: Scheduling,
  framework: Framework,
  queued: QueuedPod,
  state = new CycleState(),
): Attempt => ({ framework, queued, state, start: clock.monotonic() });

import { messageOfError } from '#lib/machinery/error-message.ts';
import type { QueuedPod } from '#lib/scheduler/backend/queue/queued-pod.ts';
import { SchedulingError } from '#lib/scheduler/find-nodes.ts';
import type { Framework } from '#lib/scheduler/framework/runtime/framework.ts';
import { fail } from '#lib/scheduler/schedule-one.ts';
import { NO_NODES_AVAILABLE } from '#lib/scheduler/schedule-pod.ts';
import type { Scheduling } from '#lib/scheduler/scheduling.ts';
import { classDemands, type WaitingClass } from './class-demand.ts';
import type { CostModel } from './cost-model.ts';
import { type ClassVerdict, feasibleNodes } from './feasible-nodes.ts';
import { solveRound } from './flow-network.ts';
import { type Gang, gangOf, gangsOf, gangToWithdraw, orphanMessage, withdrawnMessage } from './gangs.ts';
import { podSlots } from './machine-slots.ts';
import type { PoseidonMetrics } from './metrics.ts';
import { attemptOf, type Place, placePods } from './place-pods.ts';
import { jobOf, taskClassOf } from './task-class.ts';
import { unscheduledCosts } from './unscheduled-cost.ts';

/** The greatest number of gangs that one round withdraws. The gangs that are incomplete after it are withdrawn together. */
const MAX_WITHDRAWALS = 16;

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

/** The outcome of a round. */
export interface RoundResult {
  /** The work that binds or requeues pods. Never rejects. */
  readonly rest: readonly Promise<void>[];
  /** Pods without a place in this flow that may have one in the next. */
  readonly again: readonly QueuedPod[];
}

type Failure = Parameters<typeof fail>[2];

/**
 * Places pods with a minimum-cost flow over the whole cluster: one round of Firmament. Runs the filters once for each class, and solves the
 * network. The network does not model resources that pods of different classes use together. Each placement is therefore checked with the
 * filters again, and the pods that pass are assumed. If no node passes the filters of a class, its pods are requeued with the reason. The
 * members of a gang are requeued if the flow does not place enough of them.
 */
export async function runRound(options: RoundOptions, pods: readonly QueuedPod[]): Promise<RoundResult> {
  const { scheduling, framework, metrics } = options;
  const rest: Promise<void>[] = [];
  const requeue = (queued: QueuedPod, failure: Failure): void =>
    void rest.push(fail(scheduling, attemptOf(scheduling, framework, queued), failure));
  const { needy, orphans } = await gangsOf(scheduling, pods, scheduling.cache.takeSnapshot().nodes);
  for (const queued of orphans) requeue(queued, unschedulable(orphanMessage(queued.podInfo)));
  const absent = new Set(orphans);
  const { nodes } = scheduling.cache.takeSnapshot();
  const classes: PodsOfClass[] = [];
  for (const members of classesOf(pods.filter((queued) => !absent.has(queued)))) {
    const verdict = await verdictOf(options, members, requeue);
    if (verdict !== undefined) classes.push({ pods: members, verdict });
  }
  const slots = new Map(nodes.map((node) => [node.name, podSlots(node)]));
  const { places, withdrawn } = solved(options, classes, { slots, gangs: [...needy.values()] });
  for (const { queued, message } of withdrawn) requeue(queued, unschedulable(message));
  const again = await placePods({ scheduling, framework, metrics, rest }, unitsOf(places, needy));
  return { rest, again };
}

/** The failure of a pod that found no node for this reason. */
export const unschedulable = (message: string): Failure => ({
  reason: 'Unschedulable',
  message,
  nominatedNodeName: '',
});

/** Groups pods by class, each class in the order of the pods. */
function classesOf(pods: readonly QueuedPod[]): Iterable<readonly QueuedPod[]> {
  return Map.groupBy(pods, ({ podInfo }) => taskClassOf(podInfo)).values();
}

/** The verdict of the filters. If no node passes, requeues the pods of the class and returns undefined. */
async function verdictOf(
  { scheduling, framework }: RoundOptions,
  members: readonly QueuedPod[],
  requeue: (queued: QueuedPod, failure: Failure) => void,
): Promise<ClassVerdict | undefined> {
  const [first] = members;
  if (first === undefined) return undefined;
  const requeueAll = (failure: Failure): void => {
    for (const queued of members) requeue(queued, failure);
  };
  if (scheduling.cache.nodeCount === 0) {
    requeueAll(unschedulable(NO_NODES_AVAILABLE));
    return undefined;
  }
  try {
    const verdict = await feasibleNodes(framework, first.podInfo);
    if (verdict.nodes.length > 0) return verdict;
    const { diagnosis } = verdict;
    requeueAll({ ...unschedulable(diagnosis.message), diagnosis });
  } catch (error) {
    if (!(error instanceof SchedulingError)) scheduling.reportFault(error);
    requeueAll({ reason: 'SchedulerError', message: messageOfError(error), nominatedNodeName: '' });
  }
  return undefined;
}

/** The result of solving a round. */
interface Solved {
  readonly places: readonly Place[];
  /** The members of gangs that do not get enough nodes, with the reason. */
  readonly withdrawn: readonly { readonly queued: QueuedPod; readonly message: string }[];
}

/** The parts of a round's network besides its classes. */
interface Network {
  /** The free pod slots of each node. */
  readonly slots: ReadonlyMap<string, number>;
  readonly gangs: readonly Gang[];
}

/**
 * Solves the network, and solves it again without the incomplete gang of lowest priority until every gang is complete. The placements have
 * the least cost for the pods that remain.
 */
function solved(options: RoundOptions, classes: readonly PodsOfClass[], { slots, gangs }: Network): Solved {
  const withdrawn: { queued: QueuedPod; message: string }[] = [];
  const remaining = new Set(gangs);
  const gone = new Set<QueuedPod>();
  const feasible = new Set(classes.flatMap(({ pods }) => pods));
  const withdraw = (gang: Gang, placed: number): void => {
    remaining.delete(gang);
    for (const queued of gang.members) {
      gone.add(queued);
      if (feasible.has(queued)) withdrawn.push({ queued, message: withdrawnMessage(gang, placed) });
    }
  };
  for (let solves = 0; ; solves++) {
    const places = placesOf(options, withoutPods(classes, gone), slots);
    const node = new Map(places.map((place) => [place.queued, place.node]));
    const placedOf = ({ members }: Gang): number => members.filter((one) => node.get(one) !== undefined).length;
    const incomplete = gangToWithdraw(remaining, placedOf);
    if (incomplete === undefined) return { places, withdrawn };
    if (solves < MAX_WITHDRAWALS) withdraw(incomplete, placedOf(incomplete));
    else for (const gang of remaining) if (placedOf(gang) < gang.needed) withdraw(gang, placedOf(gang));
  }
}

function withoutPods(classes: readonly PodsOfClass[], gone: ReadonlySet<QueuedPod>): readonly PodsOfClass[] {
  if (gone.size === 0) return classes;
  return classes
    .map(({ pods, verdict }) => ({ pods: pods.filter((queued) => !gone.has(queued)), verdict }))
    .filter(({ pods }) => pods.length > 0);
}

/** The places of all pods of the classes by one solve. */
function placesOf(
  { scheduling, model, metrics }: RoundOptions,
  classes: readonly PodsOfClass[],
  slots: ReadonlyMap<string, number>,
): Place[] {
  if (classes.length === 0) return [];
  const begun = scheduling.clock.monotonic();
  const flow = solveRound(classDemands(demandsOf(scheduling, classes), model), slots);
  metrics.solved(flow, (scheduling.clock.monotonic() - begun) / 1000);
  return classes.flatMap(({ pods }, i) =>
    pods.map((queued, task): Place => ({ queued, node: flow.placements[i]?.[task] })),
  );
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

/** The placed members of each gang as one unit, and every other pod as a unit of its own. */
function unitsOf(places: readonly Place[], gangs: ReadonlyMap<string, Gang>): readonly (readonly Place[])[] {
  const units = new Map<string, Place[]>();
  for (const place of places) {
    const { podInfo } = place.queued;
    const gang = gangOf(podInfo);
    const isMember = gang !== undefined && gangs.has(gang) && place.node !== undefined;
    const key = isMember ? `gang ${gang}` : podInfo.uid;
    const unit = units.get(key);
    if (unit === undefined) units.set(key, [place]);
    else unit.push(place);
  }
  return [...units.values()];
}

import { messageOfError } from '#lib/machinery/error-message.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { QueuedPod } from './backend/queue/queued-pod.ts';
import { type Binding, handleRefusal, runBindingCycle, unreserveAndForget } from './binding-cycle.ts';
import type { Diagnosing } from './diagnosis.ts';
import { type Failure, handleSchedulingFailure } from './failure.ts';
import { SchedulingError } from './find-nodes.ts';
import { CycleState } from './framework/cycle-state.ts';
import type { Framework } from './framework/runtime/framework.ts';
import { type Permitted, runPermitPlugins } from './framework/runtime/permit.ts';
import { runPostFilterPlugins } from './framework/runtime/post-filter.ts';
import { runReservePlugins } from './framework/runtime/reserve.ts';
import { messageOf, type Status } from './framework/status.ts';
import { NO_NODES_AVAILABLE, type ScheduleResult, schedulePod } from './schedule-pod.ts';
import { type Scheduling, schedulerNameOf } from './scheduling.ts';

/** A scheduling attempt of a pod. */
export interface Attempt {
  readonly framework: Framework;
  readonly queued: QueuedPod;
  readonly state: CycleState;
  /** The monotonic start time in milliseconds. */
  readonly start: number;
}

/** The result of an attempt: the remaining work for the pod, and the node index for the next attempt. */
export interface ScheduledOne {
  /** Binds or requeues the pod. Never rejects. Other pods may be scheduled meanwhile. */
  readonly rest: Promise<void>;
  readonly nextStart: number;
}

/** Schedules a popped pod: upstream's ScheduleOne. Checks nodes from index `nodeStart` on. */
export async function scheduleOne(scheduling: Scheduling, queued: QueuedPod, nodeStart: number): Promise<ScheduledOne> {
  const { pod, uid } = queued.podInfo;
  const framework = scheduling.frameworks.get(schedulerNameOf(pod));
  if (framework === undefined || isSkipped(scheduling, framework, queued)) {
    scheduling.queue.done(uid);
    return { rest: Promise.resolve(), nextStart: nodeStart };
  }
  const attempt: Attempt = { framework, queued, state: new CycleState(), start: scheduling.clock.monotonic() };
  scheduling.cache.takeSnapshot();
  try {
    return await chosen(scheduling, attempt, nodeStart);
  } catch (error) {
    if (!(error instanceof SchedulingError)) scheduling.reportFault(error);
    const failure = { reason: 'SchedulerError', message: messageOfError(error), nominatedNodeName: '' } as const;
    return { rest: fail(scheduling, attempt, failure), nextStart: nodeStart };
  }
}

/** Skips a pod that is being deleted, and one that was requeued by an update but already has a node. */
export function isSkipped({ cache }: Scheduling, { handle }: Framework, { podInfo }: QueuedPod): boolean {
  const { pod, namespace, name, uid } = podInfo;
  if (!isDeleting(pod)) return cache.isAssumed(uid);
  const message = `skip schedule deleting pod: ${namespace}/${name}`;
  handle.record(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
  return true;
}

async function chosen(scheduling: Scheduling, attempt: Attempt, nodeStart: number): Promise<ScheduledOne> {
  const { framework, queued, state } = attempt;
  if (scheduling.cache.nodeCount === 0) {
    const failure = { reason: 'Unschedulable', message: NO_NODES_AVAILABLE, nominatedNodeName: '' } as const;
    return { rest: fail(scheduling, attempt, failure), nextStart: nodeStart };
  }
  const { percentageOfNodesToScore } = scheduling;
  const search = { framework, state, pod: queued.podInfo, percentageOfNodesToScore, start: nodeStart };
  const result: ScheduleResult = await schedulePod(search);
  const { nextStart } = result;
  if (result.nodeName !== undefined) return { rest: take(scheduling, attempt, result.nodeName), nextStart };
  const failure = await postFiltered(attempt, result.diagnosis); // the next attempt must see the nomination
  return { rest: fail(scheduling, attempt, failure), nextStart };
}

async function postFiltered(
  { framework, queued, state }: Attempt,
  diagnosis: Diagnosing,
): Promise<Omit<Failure, 'start'>> {
  const { postFilter } = framework.points;
  const unschedulable = { reason: 'Unschedulable', diagnosis } as const;
  if (postFilter.length === 0) return { ...unschedulable, message: diagnosis.message, nominatedNodeName: '' };
  const { result, status } = await runPostFilterPlugins(postFilter, state, queued.podInfo, diagnosis.nodeToStatus);
  diagnosis.postFilter = status === undefined ? '' : messageOf(status);
  return { ...unschedulable, message: diagnosis.message, nominatedNodeName: result?.nominatedNodeName };
}

/** Requeues the pod and reports why it has no node. Never rejects. */
export const fail = (scheduling: Scheduling, attempt: Attempt, failure: Omit<Failure, 'start'>): Promise<void> =>
  handleSchedulingFailure(scheduling, attempt, { ...failure, start: attempt.start });

/** Assumes that the pod is on the node, so that the next pod can be scheduled while this one binds. Never rejects. */
export function take(
  scheduling: Scheduling,
  { framework, queued, state, start }: Attempt,
  nodeName: string,
): Promise<void> {
  const { cache, queue, waitingPods } = scheduling;
  const { uid } = queued.podInfo;
  cache.assume(queued.podInfo, nodeName);
  queue.nominations.delete(uid);
  const pod = cache.getPod(uid) ?? queued.podInfo;
  const placed = { state, pod, nodeName };
  const binding: Binding = { framework, queued, placed, start };
  const refusal = runReservePlugins(framework.points.reserve, placed);
  const { status, waits } =
    refusal === undefined ? runPermitPlugins(framework.points.permit, placed) : refused(refusal);
  if (status !== undefined && status.code !== 'Wait') {
    unreserveAndForget(scheduling, binding);
    return handleRefusal(scheduling, binding, status);
  }
  if (waits.size > 0) waitingPods.add(pod, waits);
  return runBindingCycle(scheduling, binding);
}

const refused = (status: Status): Permitted => ({ status, waits: new Map() });

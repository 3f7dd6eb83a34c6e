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

/** A pod being tried. */
interface Attempt {
  readonly framework: Framework;
  readonly queued: QueuedPod;
  readonly state: CycleState;
  /** Monotonic milliseconds. */
  readonly start: number;
}

/** How an attempt to choose a node ended: with what becomes of the pod, and where the next attempt begins to look. */
export interface ScheduledOne {
  /** Binds the pod, or puts it back. It does not reject, and others may be tried meanwhile. */
  readonly rest: Promise<void>;
  readonly nextStart: number;
}

/** Tries to place a pod that was popped: upstream's ScheduleOne. Nodes are looked at from the one at `nodeStart` on. */
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

/** Skips a pod that is being deleted, and one that already has a node but was queued again by an update. */
function isSkipped({ cache }: Scheduling, { handle }: Framework, { podInfo }: QueuedPod): boolean {
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
  const failure = await postFiltered(attempt, result.diagnosis); // the next pod must know what was made room for
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

const fail = (scheduling: Scheduling, attempt: Attempt, failure: Omit<Failure, 'start'>): Promise<void> =>
  handleSchedulingFailure(scheduling, attempt, { ...failure, start: attempt.start });

/** Assumes that the pod is on the node, so that the next may be tried while it is bound. */
function take(scheduling: Scheduling, { framework, queued, state, start }: Attempt, nodeName: string): Promise<void> {
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

import { messageOfError } from '#lib/machinery/error-message.ts';
import type { QueuedPod } from './backend/queue/queued-pod.ts';
import { diagnosisOfNode } from './diagnosis.ts';
import { handleSchedulingFailure } from './failure.ts';
import {
  runBindPlugins,
  runPostBindPlugins,
  runPreBindPlugins,
  runPreBindPreFlights,
} from './framework/runtime/bind.ts';
import type { Framework } from './framework/runtime/framework.ts';
import { type Placed, runUnreserve } from './framework/runtime/reserve.ts';
import { errorStatus, isRejected, messageOf, type Outcome, type Status } from './framework/status.ts';
import { writePodOutcome } from './pod-status.ts';
import type { Scheduling } from './scheduling.ts';

/** A pod with a node chosen and reserved for it. */
export interface Binding {
  readonly framework: Framework;
  readonly queued: QueuedPod;
  readonly placed: Placed;
  /** The monotonic time in milliseconds at which the attempt began. */
  readonly start: number;
}

/**
 * Waits for Permit, then binds the pod. On failure, unreserves the pod, unless the scheduler is shutting down: the next scheduler then
 * finds the written state. Does not reject.
 */
export async function runBindingCycle(scheduling: Scheduling, binding: Binding): Promise<void> {
  const status = await bindingCycle(scheduling, binding).catch((error: unknown) => {
    scheduling.reportFault(error);
    return errorStatus(messageOfError(error));
  });
  if (status !== undefined && !scheduling.signal.aborted) await handleBindingCycleError(scheduling, binding, status);
}

async function bindingCycle(scheduling: Scheduling, binding: Binding): Promise<Outcome> {
  const { queue, waitingPods, inPreBind } = scheduling;
  const { framework, placed } = binding;
  const { uid } = placed.pod;
  const { plugins, announces, status: fault } = runPreBindPreFlights(framework.points.preBind, placed);
  if (fault !== undefined) return fault;
  if (announces || waitingPods.has(uid)) await announce(scheduling, placed);
  const refusal = await waitingPods.outcome(uid);
  if (refusal !== undefined) return refusal;
  queue.done(uid); // from here on the pod cannot be refused, so no later change can help it
  inPreBind.begin(uid);
  const prepared = await runPreBindPlugins(plugins, placed);
  const preempted = inPreBind.end(uid);
  if (prepared !== undefined) return prepared;
  if (preempted !== undefined) return errorStatus(preempted);
  const bound = await bind(framework, placed);
  if (bound !== undefined) return bound;
  reportBound(scheduling, binding);
  return undefined;
}

/** Writes the nominated node to the pod's status for autoscalers. */
async function announce({ client, clock, reportFault }: Scheduling, { pod, nodeName }: Placed): Promise<void> {
  const outcome = { nominatedNodeName: nodeName };
  await writePodOutcome(client, { pod: pod.pod, now: clock.now() }, outcome).catch(reportFault);
}

async function bind(framework: Framework, placed: Placed): Promise<Outcome> {
  const { pod } = placed.pod;
  for (const extender of framework.handle.extenders) {
    if (!extender.does.bind || !extender.isInterested(pod)) continue;
    try {
      await extender.bind(pod, placed.nodeName);
      return undefined;
    } catch (error) {
      if (!extender.ignorable) return errorStatus(messageOfError(error));
    }
  }
  return runBindPlugins(framework.points.bind, placed);
}

function reportBound({ clock, metrics }: Scheduling, { framework, queued, placed, start }: Binding): void {
  const { namespace, name, pod } = placed.pod;
  framework.handle.record(pod, {
    type: 'Normal',
    reason: 'Scheduled',
    action: 'Binding',
    message: `Successfully assigned ${namespace}/${name} to ${placed.nodeName}`,
  });
  metrics.attempt(framework.profileName, 'scheduled', (clock.monotonic() - start) / 1000);
  metrics.placed(queued.attempts, (clock.monotonic() - (queued.initialAttempt ?? clock.monotonic())) / 1000);
  runPostBindPlugins(framework.points.postBind, placed);
}

async function handleBindingCycleError(scheduling: Scheduling, binding: Binding, status: Status): Promise<void> {
  const { queue } = scheduling;
  const { uid } = binding.placed.pod;
  const wasAssumed = unreserveAndForget(scheduling, binding);
  const change = { event: { resource: 'Pod', action: 'Delete' }, before: binding.placed.pod.pod } as const;
  if (wasAssumed && !isRejected(status)) queue.moveAll(change);
  await handleRefusal(scheduling, binding, status);
  if (wasAssumed && isRejected(status)) queue.moveAll(change, (pod) => pod.uid !== uid);
}

/** Returns whether the pod was still assumed on its node. */
export function unreserveAndForget({ cache }: Scheduling, { framework, placed }: Binding): boolean {
  runUnreserve(framework.points.reserve, placed);
  return cache.forget(placed.pod.uid);
}

/** Handles a chosen node that was refused later or could not be bound. */
export async function handleRefusal(scheduling: Scheduling, binding: Binding, status: Status): Promise<void> {
  const { framework, queued, placed, start } = binding;
  const diagnosis = diagnosisOfNode(scheduling.cache.getNode(placed.nodeName), status);
  await handleSchedulingFailure(
    scheduling,
    { framework, queued },
    {
      reason: isRejected(status) ? 'Unschedulable' : 'SchedulerError',
      message: diagnosis?.message ?? messageOf(status),
      diagnosis,
      nominatedNodeName: '',
      start,
    },
  );
}

import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { QueuedPod } from './backend/queue/queued-pod.ts';
import type { Diagnosing } from './diagnosis.ts';
import { podInfoOf } from './framework/pod-info-of.ts';
import type { Framework } from './framework/runtime/framework.ts';
import { type PodOutcome, writePodOutcome } from './pod-status.ts';
import type { Scheduling } from './scheduling.ts';

/** The maximum length of an Event's note, in characters. */
const NOTE_LIMIT = 1024;
const CUT = ' ...';

/** How an attempt failed. */
export interface Failure {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
  /** The diagnosis, if plugins rejected the pod. */
  readonly diagnosis?: Diagnosing | undefined;
  /** Undefined keeps the current nomination; empty clears it. */
  readonly nominatedNodeName: string | undefined;
  /** The monotonic time in milliseconds at which the attempt began. */
  readonly start: number;
}

/** Requeues the pod and reports why it has no node: upstream's handleSchedulingFailure. */
export async function handleSchedulingFailure(
  scheduling: Scheduling,
  { framework, queued }: { readonly framework: Framework; readonly queued: QueuedPod },
  failure: Failure,
): Promise<void> {
  const { clock, queue, metrics } = scheduling;
  const { reason, message, diagnosis, nominatedNodeName } = failure;
  const result = reason === 'Unschedulable' ? 'unschedulable' : 'error';
  metrics.attempt(framework.profileName, result, (clock.monotonic() - failure.start) / 1000);
  queued.unschedulablePlugins = new Set(diagnosis?.unschedulablePlugins);
  queued.pendingPlugins = new Set(diagnosis?.pendingPlugins);
  if (!putBack(scheduling, queued)) return;
  queue.nominations.add(queued.podInfo, nominatedNodeName);
  const { pod } = queued.podInfo;
  framework.handle.record(pod, {
    type: 'Warning',
    reason: 'FailedScheduling',
    action: 'Scheduling',
    message: message.length <= NOTE_LIMIT ? message : message.slice(0, NOTE_LIMIT - CUT.length) + CUT,
  });
  await write(scheduling, queued, { refusal: { reason, message }, nominatedNodeName });
}

/** Returns false if another pod now has the same name. */
function putBack({ queue, podNow }: Scheduling, queued: QueuedPod): boolean {
  const { pod, uid } = queued.podInfo;
  const current = podNow(namespaceOf(pod), nameOf(pod));
  if (current === undefined || nodeNameOf(current) !== '') queue.done(uid);
  else if (uidOf(current) !== uid) {
    queue.done(uid);
    return false;
  } else {
    queued.podInfo = podInfoOf(current);
    queue.addUnschedulable(queued);
  }
  return true;
}

async function write({ client, clock, reportFault }: Scheduling, { podInfo }: QueuedPod, outcome: PodOutcome) {
  try {
    await writePodOutcome(client, { pod: podInfo.pod, now: clock.now() }, outcome);
  } catch (error) {
    reportFault(error);
  }
}

import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { deletionTimeOf, finalizersOf, isDeleting } from '#lib/machinery/meta.ts';
import { semanticEqual } from '#lib/server/registry/kinds/shared/semantic.ts';
import { type Behaviour, behaviourOf } from './behaviour.ts';
import { isAhead, millisecondsOf } from './container-status.ts';
import { phaseOf } from './phase.ts';
import { type PodAddresses, podStatus } from './pod-status.ts';
import { isFinished, knownStatuses, runContainers, stopContainers } from './run-containers.ts';

/** The next action of a kubelet. */
export interface Decision {
  /** The pod's new status, if it changes. */
  readonly status?: PodStatus;
  /** Whether to remove the pod afterwards. */
  readonly isOver: boolean;
  /** The time in ms until the next reconcile. If absent, the next change triggers it. */
  readonly lookIn?: number;
}

/** The message of upstream's kubelet. */
export const DEADLINE_MESSAGE = 'Pod was active on the node longer than the specified deadline';

const SIGKILL = 137;
/** The interval in ms between attempts to get a network. */
const NETWORK = 5000;

/** Decides the next action for a pod on a simulated node. Depends only on the stored pod, so that a restarted server continues. */
export function decide(pod: Pod, place: PodAddresses, now: number): Decision {
  const { behaviour } = behaviourOf(pod);
  if (isDeleting(pod)) return decideDeletion(pod, place, { behaviour, now });
  if (isPodTerminal(pod)) return { isOver: false };
  return decideRun(pod, place, { behaviour, now });
}

interface Means {
  readonly behaviour: Behaviour;
  readonly now: number;
}

function decideRun(pod: Pod, place: PodAddresses, { behaviour, now }: Means): Decision {
  const startTime = millisecondsOf(pod.status.startTime) || now;
  const deadline = deadlineOf(pod, startTime);
  const sandboxAt = isAhead(startTime, now) ? now : startTime + behaviour.startDelay;
  const hasSandbox = now >= sandboxAt && place.podIPs.length > 0;
  if (now >= deadline) return exceeded(pod, place, { behaviour, now });
  const { statuses, due } = runContainers(pod, { behaviour, now, hasSandbox });
  const isEnd = isFinished(pod, statuses);
  const last = isEnd ? stopContainers(pod, statuses, behaviour.stopExitCode, now) : statuses;
  const phase = phaseOf(pod, last, isEnd);
  const status = podStatus(pod, place, { statuses: last, phase, hasNetwork: hasSandbox, isEnd, now });
  const sandbox = hasSandbox ? Infinity : now < sandboxAt ? sandboxAt : now + NETWORK;
  const next = isEnd ? Infinity : Math.min(due, deadline, sandbox);
  return { ...changed(pod, status), isOver: false, ...(next === Infinity ? {} : { lookIn: Math.max(0, next - now) }) };
}

function deadlineOf(pod: Pod, startTime: number): number {
  const { activeDeadlineSeconds: seconds } = pod.spec;
  return seconds === undefined ? Infinity : startTime + Number(seconds) * 1000;
}

function exceeded(pod: Pod, place: PodAddresses, { behaviour, now }: Means): Decision {
  const statuses = stopContainers(pod, knownStatuses(pod), behaviour.stopExitCode, now);
  const status = podStatus(pod, place, { statuses, phase: 'Failed', hasNetwork: false, isEnd: true, now });
  return { status: { ...status, reason: 'DeadlineExceeded', message: DEADLINE_MESSAGE }, isOver: false };
}

/**
 * Ends containers within the grace period, as after SIGTERM. Then deletes the pod, which may still wait for its finalizers. A pod without
 * grace period and finalizers still exists if the server stopped between the two writes of a removal. Only its kubelet can remove it then.
 */
function decideDeletion(pod: Pod, place: PodAddresses, { behaviour, now }: Means): Decision {
  const grace = Number(pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const last = deletionTimeOf(pod)?.getTime() ?? now;
  const isKilled = behaviour.stopDuration > grace;
  const stopAt = isKilled ? last : last - grace + behaviour.stopDuration;
  if (now < stopAt && !isAhead(last - grace, now) && !isPodTerminal(pod))
    return { isOver: false, lookIn: stopAt - now };
  const isOver = grace > 0 || finalizersOf(pod).length === 0;
  if (isPodTerminal(pod)) return { isOver };
  const exitCode = isKilled ? SIGKILL : behaviour.stopExitCode;
  const statuses = stopContainers(pod, knownStatuses(pod), exitCode, now);
  const phase = phaseOf(pod, statuses, true);
  return { ...changed(pod, podStatus(pod, place, { statuses, phase, hasNetwork: false, isEnd: true, now })), isOver };
}

function changed(pod: Pod, status: PodStatus): { status?: PodStatus } {
  return semanticEqual(status, pod.status) ? {} : { status };
}

import type { Node, Pod, PodStatus, Taint } from '#lib/api/types/core.v1.ts';
import { withDisruptionTarget } from '#lib/helpers/component-helpers/pod/disruption-target.ts';
import { taintsOf, tolerates } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { creationTimeOf, isDeleting } from '#lib/machinery/meta.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';
import { writesOf } from '../writes-of.ts';

/** The node's taints that evict pods. */
export const drivingTaints = (node: Node): readonly Taint[] =>
  taintsOf(node).filter(({ effect }) => effect === 'NoExecute');

/**
 * The time, in ms since 1970, at which the node's taints evict a pod. Undefined if they never do. The toleration period starts when both
 * the taint and the pod exist. Its start is read from them, so a new process does not restart it.
 */
export function evictionTime(pod: Pod, node: Node): number | undefined {
  if (isDeleting(pod)) return undefined;
  const { tolerations = [] } = pod.spec;
  const times = drivingTaints(node).map((taint) => {
    const matching = tolerations.find((one) => tolerates(one, taint));
    if (matching === undefined) return -Infinity;
    const seconds = matching.tolerationSeconds;
    if (seconds === undefined) return Infinity;
    return seconds <= 0 ? -Infinity : Math.max(taintedAt(node, taint), placedAt(pod)) + Number(seconds) * 1000;
  });
  const first = Math.min(...times);
  return first === Infinity ? undefined : first;
}

/** Manually added taints have no time. The last change of taints then counts. */
const taintedAt = (node: Node, taint: Taint): number =>
  millisecondsOf(taint.timeAdded) ?? lastWrite(node) ?? creationTimeOf(node)?.getTime() ?? 0;

function lastWrite({ metadata }: Node): number | undefined {
  const writes = writesOf(metadata, 'f:spec', 'f:taints').map(({ time }) => millisecondsOf(time) ?? 0);
  return writes.length === 0 ? undefined : Math.max(...writes);
}

function placedAt(pod: Pod): number {
  const scheduled = findCondition(pod.status.conditions, 'PodScheduled');
  const isScheduled = scheduled?.status === 'True';
  return (
    (isScheduled ? millisecondsOf(scheduled.lastTransitionTime) : undefined) ?? creationTimeOf(pod)?.getTime() ?? 0
  );
}

const DISRUPTION = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };

/** The pod's status with the condition DisruptionTarget. Undefined if it already has it. */
export function disrupted(pod: Pod, now: number): PodStatus | undefined {
  const { conditions: held } = pod.status;
  const conditions = withDisruptionTarget(pod, held, DISRUPTION, now);
  return conditions === held ? undefined : { ...pod.status, conditions };
}

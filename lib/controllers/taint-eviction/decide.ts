import { taintsOf, tolerates } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf, generationOf, isDeleting, metadataOf } from '#lib/machinery/meta.ts';
import { timeAt } from '#lib/machinery/time-at.ts';
import { integer, items, text } from '#lib/machinery/unstructured.ts';
import { conditionOf, conditionsOf, timeOf, without } from '../workload/conditions.ts';

export const drivingTaints = (node: JsonObject): readonly JsonObject[] =>
  taintsOf(node).filter((taint) => text(taint, 'effect') === 'NoExecute');

/**
 * When, in milliseconds since 1970, the node's taints drive a pod away; undefined where they never do. Time runs from when both the
 * taint and the pod were there: it is read from them, so that a new process does not begin anew.
 */
export function evictionTime(pod: JsonObject, node: JsonObject): number | undefined {
  if (isDeleting(pod)) return undefined;
  const tolerations = items(objectAt(pod, 'spec'), 'tolerations');
  const times = drivingTaints(node).map((taint) => {
    const matching = tolerations.find((one) => tolerates(one, taint));
    if (matching === undefined) return -Infinity;
    const seconds = integer(matching, 'tolerationSeconds');
    if (seconds === undefined) return Infinity;
    return seconds <= 0 ? -Infinity : Math.max(taintedAt(node, taint), placedAt(pod)) + Number(seconds) * 1000;
  });
  const first = Math.min(...times);
  return first === Infinity ? undefined : first;
}

/** Who adds a taint by hand does not say when: then the last change of taints is. */
const taintedAt = (node: JsonObject, taint: JsonObject): number =>
  timeAt(taint, 'timeAdded') ?? lastWrite(node) ?? creationTimeOf(node)?.getTime() ?? 0;

function lastWrite(node: JsonObject): number | undefined {
  const writes = items(metadataOf(node), 'managedFields')
    .filter((entry) => ownField(objectAt(objectAt(entry, 'fieldsV1'), 'f:spec'), 'f:taints') !== undefined)
    .map((entry) => timeAt(entry, 'time') ?? 0);
  return writes.length === 0 ? undefined : Math.max(...writes);
}

function placedAt(pod: JsonObject): number {
  const scheduled = conditionOf(conditionsOf(pod), 'PodScheduled');
  const isScheduled = text(scheduled, 'status') === 'True';
  return (isScheduled ? timeAt(scheduled, 'lastTransitionTime') : undefined) ?? creationTimeOf(pod)?.getTime() ?? 0;
}

const TAINT = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };

/** The pod's status as that of one that is driven away, default from its node; undefined where it says so. */
export function disrupted(pod: JsonObject, now: number, { reason, message } = TAINT): JsonObject | undefined {
  const known = conditionOf(conditionsOf(pod), 'DisruptionTarget');
  if (text(known, 'status') === 'True' && text(known, 'reason') === reason) return undefined;
  const condition: JsonObject = {
    type: 'DisruptionTarget',
    status: 'True',
    observedGeneration: generationOf(pod),
    lastTransitionTime: text(known, 'status') === 'True' ? text(known, 'lastTransitionTime') : timeOf(now),
    reason,
    message,
  };
  const conditions = [...without(conditionsOf(pod), 'DisruptionTarget'), condition];
  return { ...objectAt(pod, 'status'), conditions };
}

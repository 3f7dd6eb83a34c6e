import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, isDeleting, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { conditionOf, conditionsOf, timeOf, without } from '../workload/conditions.ts';
import { isTerminal, phaseOf } from '../workload/pod.ts';

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
/** Pods that came to their end and are kept: the flag --terminated-pod-gc-threshold upstream. */
export const THRESHOLD = 12_500;

export const nodeOf = (pod: JsonObject): string => text(at(pod, 'spec'), 'nodeName');

/** Whether nothing on the node will ever end a pod: KEP-2268. */
export function isOutOfService(node: JsonObject): boolean {
  const ready = text(conditionOf(conditionsOf(node), 'Ready'), 'status');
  return ready !== 'True' && items(at(node, 'spec'), 'taints').some((taint) => text(taint, 'key') === OUT_OF_SERVICE);
}

/** Whether a pod was asked to go and no node would end it. */
export const isStranded = (pod: JsonObject): boolean => isDeleting(pod) && nodeOf(pod) === '';

/** Whether there is nothing left to ask of a pod: it waits for its finalizers alone. */
export const isAskedToGo = (pod: JsonObject): boolean =>
  isDeleting(pod) && isTerminal(pod) && Number(metadataOf(pod)['deletionGracePeriodSeconds'] ?? 0) === 0;

export const hasEnded = (pod: JsonObject): boolean => !['Pending', 'Running', 'Unknown'].includes(phaseOf(pod));

/** Those that are too many among pods that came to their end: evicted ones first, then the oldest. */
export function tooMany(pods: readonly JsonObject[], threshold: number): readonly JsonObject[] {
  const ended = pods.filter((pod) => hasEnded(pod) && !isAskedToGo(pod));
  const rank = (pod: JsonObject): string[] => {
    const evicted = phaseOf(pod) === 'Failed' && text(at(pod, 'status'), 'reason') === 'Evicted';
    return [evicted ? '0' : '1', text(metadataOf(pod), 'creationTimestamp'), nameOf(pod)];
  };
  const sorted = ended.map((pod) => ({ pod, key: rank(pod).join('\n') })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return sorted.slice(0, Math.max(0, ended.length - threshold)).map(({ pod }) => pod);
}

/** The pod as failed, marked where its node is gone; undefined where it came to its end by itself. */
export function failed(pod: JsonObject, isOrphan: boolean, now: number): JsonObject | undefined {
  if (isTerminal(pod)) return undefined;
  const conditions = isOrphan ? [...without(conditionsOf(pod), 'DisruptionTarget'), mark(pod, now)] : conditionsOf(pod);
  const status = { ...at(pod, 'status'), phase: 'Failed', observedGeneration: generationOf(pod) };
  return { ...pod, status: conditions.length === 0 ? status : { ...status, conditions: [...conditions] } };
}

function mark(pod: JsonObject, now: number): JsonObject {
  const known = conditionOf(conditionsOf(pod), 'DisruptionTarget');
  const since = text(known, 'status') === 'True' ? text(known, 'lastTransitionTime') : timeOf(now);
  return {
    type: 'DisruptionTarget',
    status: 'True',
    observedGeneration: generationOf(pod),
    lastTransitionTime: since,
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
  };
}

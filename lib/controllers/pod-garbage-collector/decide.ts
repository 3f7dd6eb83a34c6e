import { typedObject } from '#lib/api/typed.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { isNodeReady } from '#lib/helpers/component-helpers/node/readiness.ts';
import { withDisruptionTarget } from '#lib/helpers/component-helpers/pod/disruption-target.ts';
import { isPodTerminal, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
/** The number of terminated pods to keep: upstream's flag --terminated-pod-gc-threshold. */
export const THRESHOLD = 12_500;

/** The node of a decoded pod, empty if it has none. */
export const nodeOf = (pod: JsonObject): string => typedObject(PODS, pod).spec?.nodeName ?? '';

/** Whether the node is out of service, so that no kubelet will ever terminate its pods: KEP-2268. */
export const isOutOfService = (node: Node): boolean =>
  !isNodeReady(node) && (node.spec.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);

/** Whether a pod is being deleted and has no node that would terminate it. */
export const isStranded = (pod: Pod): boolean => isDeleting(pod) && nodeOf(pod) === '';

/** Whether a pod is already being deleted and waits only for its finalizers. */
export const isAskedToGo = (pod: Pod): boolean =>
  isDeleting(pod) && isPodTerminal(pod) && Number(pod.metadata.deletionGracePeriodSeconds ?? 0) === 0;

/** Whether a pod has terminated. */
export const hasEnded = (pod: Pod): boolean => !['Pending', 'Running', 'Unknown'].includes(phaseOf(pod));

/** The terminated pods beyond the threshold: evicted ones first, then the oldest. */
export function tooMany(pods: readonly Pod[], threshold: number): readonly Pod[] {
  const ended = pods.filter((pod) => hasEnded(pod) && !isAskedToGo(pod));
  const rank = (pod: Pod): string[] => {
    const evicted = phaseOf(pod) === 'Failed' && pod.status.reason === 'Evicted';
    return [evicted ? '0' : '1', pod.metadata.creationTimestamp ?? '', nameOf(pod)];
  };
  const sorted = ended.map((pod) => ({ pod, key: rank(pod).join('\n') })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return sorted.slice(0, Math.max(0, ended.length - threshold)).map(({ pod }) => pod);
}

/** The pod in phase Failed, with a DisruptionTarget condition if its node no longer exists. Undefined if the pod has already terminated. */
export function failed(pod: Pod, isOrphan: boolean, now: number): Pod | undefined {
  if (isPodTerminal(pod)) return undefined;
  const { conditions: held = [] } = pod.status;
  const conditions = isOrphan ? withDisruptionTarget(pod, held, ORPHAN, now) : held;
  const status = { ...pod.status, phase: 'Failed', observedGeneration: generationOf(pod) };
  return { ...pod, status: conditions.length === 0 ? status : { ...status, conditions } };
}

const ORPHAN = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };

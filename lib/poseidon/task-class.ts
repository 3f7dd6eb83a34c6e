import { matches } from '#lib/machinery/labels/selector.ts';
import { controllerOf } from '#lib/machinery/meta.ts';
import type { AffinityTerm, PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import type { Resource } from '#lib/scheduler/framework/resource.ts';

/** Labels that differ between the pods of one workload and that no constraint of a workload uses. */
const OWN_LABELS = [
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/job-completion-index',
  'statefulset.kubernetes.io/pod-name',
];
/** Volume sources that exist on every node. */
const LOCAL_VOLUMES = ['configMap', 'downwardAPI', 'emptyDir', 'hostPath', 'image', 'projected', 'secret'];

/**
 * The equivalence class of a pod, as text. Filters and cost models treat pods of one class alike (Firmament's equivalence class of tasks).
 * A pod with claims or devices has a separate class, because each of its volumes restricts nodes. Pods of one class may still differ in a
 * label of `OWN_LABELS`, so a placement is checked before it is bound.
 */
export function taskClassOf(info: PodInfo): string {
  const { pod, namespace, requests, nonZero, hostPorts } = info;
  const { spec } = pod;
  if (hasOwnVolumes(info) || (spec.resourceClaims ?? []).length > 0) return info.uid;
  return JSON.stringify([
    namespace,
    sorted(Object.entries(info.labels).filter(([name]) => !OWN_LABELS.includes(name))),
    amounts(requests),
    nonZero,
    hostPorts,
    [spec.nodeName, spec.runtimeClassName, spec.os, spec.hostNetwork],
    sorted(Object.entries(spec.nodeSelector ?? {})),
    spec.affinity,
    spec.tolerations,
    spec.topologySpreadConstraints,
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(({ image }) => image),
  ]);
}

/** The job of a task, as text: the pod's controller, or the pod itself. */
export const jobOf = ({ pod, uid }: PodInfo): string => controllerOf(pod)?.uid ?? uid;

/** The required anti-affinity terms of a pod that match the pod itself, and therefore every other pod of its class. */
export const termsAgainstOwnClass = (info: PodInfo): readonly AffinityTerm[] =>
  info.requiredAntiAffinityTerms.filter(
    ({ selector, namespaces }) => namespaces.has(info.namespace) && matches(selector, info.labels),
  );

function hasOwnVolumes({ pod, claims }: PodInfo): boolean {
  if (claims.length > 0) return true;
  return (pod.spec.volumes ?? []).some((volume) =>
    Object.keys(volume).some((source) => source !== 'name' && !LOCAL_VOLUMES.includes(source)),
  );
}

const amounts = ({ scalar, ...others }: Resource) => [others, sorted([...scalar])];

const sorted = <V>(entries: readonly (readonly [string, V])[]) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1));

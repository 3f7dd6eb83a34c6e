import type { Pod } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';

/** Annotations that a kubelet writes on pods: source, first seen time and hash. This one is the source of the pod. */
export const CONFIG_SOURCE = 'kubernetes.io/config.source';
/** Upstream's ConfigFirstSeenAnnotationKey: an RFC 3339 time with nanoseconds. */
export const CONFIG_SEEN = 'kubernetes.io/config.seen';
/** Upstream's ConfigHashAnnotationKey. */
export const CONFIG_HASH = 'kubernetes.io/config.hash';

/** The source of pods: files on the node, or the API server. */
export type PodSource = 'file' | 'api';

/** The reason for a sync: upstream's SyncPodType. */
export type SyncPodType = 'sync' | 'update' | 'create' | 'kill';

/** The value of an annotation, or undefined if the pod does not have it. */
export const annotationOf = (pod: Pod, name: string): string | undefined => ownField(pod.metadata.annotations, name);

/** Whether the pod comes from a source other than the API. */
export function isStaticPod(pod: Pod): boolean {
  const source = annotationOf(pod, CONFIG_SOURCE);
  return source !== undefined && source !== 'api';
}

/** The name of a pod that is unique on a node: `NAME_NAMESPACE` (upstream: container.BuildPodFullName). */
export const podFullName = (pod: Pod): string => fullNameOf(nameOf(pod), namespaceOf(pod));

/** The full name of the pod with this name and namespace. */
export const fullNameOf = (name: string, namespace: string): string => `${name}_${namespace}`;

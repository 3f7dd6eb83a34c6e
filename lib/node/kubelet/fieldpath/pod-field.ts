import type { ObjectFieldSelector, Pod } from '#lib/api/types/core.v1.ts';
import { podFieldError } from '#lib/server/registry/kinds/core/pod/validation/field-references.ts';
import { extractFieldPath } from './field-path.ts';

/** The addresses for the downward API, of the pod and of its node. The first of each is the primary one. */
export interface PodAddresses {
  readonly podIPs: readonly string[];
  /** Throws if the node has no address yet. Only called for `status.hostIP` and `status.hostIPs`. */
  hostIPs(): readonly string[];
}

/**
 * The text of a pod field for an environment variable (upstream: podFieldSelectorRuntimeValue). In addition to the fields of
 * `extractFieldPath`, it supports those of the running pod, such as `status.podIP`. Throws Error with upstream's text.
 */
export function podFieldValue(
  pod: Pod,
  { apiVersion = '', fieldPath }: ObjectFieldSelector,
  { podIPs, hostIPs }: PodAddresses,
): string {
  const unknown = podFieldError(apiVersion, fieldPath);
  if (unknown !== undefined) throw new Error(unknown);
  switch (fieldPath) {
    case 'spec.host':
    case 'spec.nodeName':
      return pod.spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return hostIPs()[0] ?? '';
    case 'status.hostIPs':
      return hostIPs().join(',');
    case 'status.podIP':
      return podIPs[0] ?? '';
    case 'status.podIPs':
      return podIPs.join(',');
    default:
      return extractFieldPath(pod, fieldPath);
  }
}

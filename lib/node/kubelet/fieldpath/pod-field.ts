import type { ObjectFieldSelector, Pod } from '#lib/api/types/core.v1.ts';
import { podFieldError } from '#lib/server/registry/kinds/core/pod/validation/field-references.ts';
import { extractFieldPath } from './field-path.ts';

/** The addresses that the downward API tells: of the pod and of its node, the first of each being the primary one. */
export interface PodAddresses {
  readonly podIPs: readonly string[];
  /** Throws where the node has no address yet; called for `status.hostIP` and `status.hostIPs` alone. */
  hostIPs(): readonly string[];
}

/**
 * The text of a field of a pod as an environment variable has it: upstream's podFieldSelectorRuntimeValue. Beside the fields of
 * `extractFieldPath` it knows those of the running pod, as `status.podIP`. Throws Error with upstream's text.
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

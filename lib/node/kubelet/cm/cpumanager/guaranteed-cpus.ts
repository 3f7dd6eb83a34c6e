import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { isWhole, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { qosClassOf } from '../../qos/policy.ts';

/** How many CPUs a container has a right to have for itself: its request, where that is whole and the pod is Guaranteed. */
export function guaranteedCPUs(pod: Pod, container: Container): number {
  const request = ownField(container.resources.requests, 'cpu') ?? '0';
  return qosClassOf(pod) === 'Guaranteed' && isWhole(request) ? Number(wholeValue(request)) : 0;
}

/** Whether static policies leave the pod alone: its resources are those of the pod as a whole. */
export const isPodLevel = ({ spec }: Pod): boolean => hasPodLevelResources(spec);

/** The most CPUs that the containers of a pod have for themselves at a time; init containers that end give theirs back. */
export function podGuaranteedCPUs(pod: Pod): number {
  const { initContainers = [], containers } = pod.spec;
  let [byInit, bySidecars] = [0, 0];
  for (const container of initContainers) {
    const requested = guaranteedCPUs(pod, container);
    if (isSidecar(container)) bySidecars += requested;
    else byInit = Math.max(byInit, bySidecars + requested);
  }
  const byApps = (containers ?? []).reduce((total, container) => total + guaranteedCPUs(pod, container), 0);
  return Math.max(byInit, byApps + bySidecars);
}

import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { isWhole, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { qosClassOf } from '../../qos/policy.ts';

/** The number of exclusive CPUs that a container is entitled to: its CPU request, if that is an integer and the pod is Guaranteed. */
export function guaranteedCPUs(pod: Pod, container: Container): number {
  const request = ownField(container.resources.requests, 'cpu') ?? '0';
  return qosClassOf(pod) === 'Guaranteed' && isWhole(request) ? Number(wholeValue(request)) : 0;
}

/** Whether static policies ignore the pod because it has pod-level resources. */
export const isPodLevel = ({ spec }: Pod): boolean => hasPodLevelResources(spec);

/** The maximum number of exclusive CPUs that a pod's containers hold at a time. Init containers return theirs when they terminate. */
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

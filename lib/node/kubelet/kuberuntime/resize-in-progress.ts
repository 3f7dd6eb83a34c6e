import type { Container, Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import { findContainerStatus } from '../container/helpers.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { type ActuatedResources, givenResources } from './resize.ts';

/**
 * Whether the CPU or memory of a pod or a running container differs from what was allocated (upstream: IsPodResizeInProgress). Init
 * containers other than sidecars do not count.
 */
export function isPodResizeInProgress(pod: Pod, status: RuntimePodStatus, actuated: ActuatedResources): boolean {
  const containers = [...(pod.spec.initContainers ?? []).filter(isSidecar), ...(pod.spec.containers ?? [])];
  const differs = (container: Container): boolean => {
    if (findContainerStatus(status, container.name)?.state !== 'running') return false;
    const given = actuated.containerResources(uidOf(pod), container.name) ?? {};
    return !isSame(givenResources(pod, container), given);
  };
  if (containers.some(differs)) return true;
  const whole = actuated.podResources(uidOf(pod))?.pod;
  return pod.spec.resources !== undefined && whole !== undefined && !isSame(pod.spec.resources, whole);
}

const isSame = (a: ResourceRequirements, b: ResourceRequirements): boolean =>
  (['limits', 'requests'] as const).every((list) =>
    ['cpu', 'memory'].every(
      (name) => compareQuantities(ownField(a[list], name) ?? '0', ownField(b[list], name) ?? '0') === 0,
    ),
  );

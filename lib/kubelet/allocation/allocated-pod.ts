import type { Container, Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { PodResourceInfo } from './checkpoint.ts';
import type { PodResourceState } from './pod-resource-state.ts';
import { resizableContainers, sameRequirements } from './resource-requirements.ts';

/** The resources that a pod's spec asks for. */
export const allocationOf = (pod: Pod): PodResourceInfo => ({
  pod: pod.spec.resources === undefined ? undefined : clone(pod.spec.resources),
  containers: new Map(resizableContainers(pod).map(({ name, resources }) => [name, clone(resources)])),
});

/**
 * The pod with the resources that were allocated to it, in place of those that its spec asks for (upstream: UpdatePodFromAllocation). It is the
 * same object where both are the same, and where nothing was allocated yet.
 */
export function allocatedPod(pod: Pod, allocated: Pick<PodResourceState, 'podResources'>): Pod {
  const held = allocated.podResources(uidOf(pod));
  if (held === undefined) return pod;
  const differs = ({ name, resources }: Container): boolean => {
    const own = held.containers.get(name);
    return own !== undefined && !sameRequirements(resources, own);
  };
  const isPodSame = sameOrNone(pod.spec.resources, held.pod);
  if (isPodSame && !resizableContainers(pod).some(differs)) return pod;
  const given = (one: Container): Container =>
    differs(one) ? { ...one, resources: clone(held.containers.get(one.name) ?? {}) } : one;
  const { resources: asked, containers, initContainers, ...spec } = pod.spec;
  const whole = isPodSame ? asked : held.pod;
  return {
    ...pod,
    spec: {
      ...spec,
      ...(whole === undefined ? {} : { resources: clone(whole) }),
      containers: containers === null ? null : containers.map(given),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(given) }),
    },
  };
}

const sameOrNone = (a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameRequirements(a, b);

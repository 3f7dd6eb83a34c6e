import type { Container, Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { PodResourceInfo } from './checkpoint.ts';
import type { PodResourceState } from './pod-resource-state.ts';
import { resizableContainers, sameRequirements } from './resource-requirements.ts';

/** The resources in a pod's spec. */
export const allocationOf = (pod: Pod): PodResourceInfo => ({
  pod: pod.spec.resources === undefined ? undefined : clone(pod.spec.resources),
  containers: new Map(resizableContainers(pod).map(({ name, resources }) => [name, clone(resources)])),
});

/**
 * The pod with its allocated resources instead of those in its spec (upstream: UpdatePodFromAllocation). Returns the same object if both
 * are equal or the pod has no allocation yet.
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

/** Whether two versions of a pod have the same resources. */
export function sameAllocation(a: Pod, b: Pod): boolean {
  const other = new Map(resizableContainers(b).map(({ name, resources }) => [name, resources]));
  return (
    sameOrNone(a.spec.resources, b.spec.resources) &&
    resizableContainers(a).every(({ name, resources }) => sameRequirements(resources, other.get(name) ?? {}))
  );
}

/** Whether a pod releases resources between two versions: it has terminated, or has less CPU or memory than before. */
export function givesBack(before: Pod, after: Pod): boolean {
  if (isPodPhaseTerminal(after.status.phase) && !isPodPhaseTerminal(before.status.phase)) return true;
  const [old, fresh] = [podResources(before, 'requests'), podResources(after, 'requests')];
  return ['cpu', 'memory'].some((name) => compareQuantities(fresh.get(name) ?? '0', old.get(name) ?? '0') < 0);
}

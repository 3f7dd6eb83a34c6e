import type { Container, ContainerResizePolicy, Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { PodAdmitHandler, PodAdmitResult } from '../lifecycle/pod-admit.ts';
import { qosClassOf } from '../qos/policy.ts';
import { allocatedPod } from './allocated-pod.ts';
import type { PodResourceState } from './pod-resource-state.ts';
import { resizableContainers } from './resource-requirements.ts';

/** The node's settings that decide whether a resize is feasible. */
export interface PodResizeSettings {
  readonly allocated: Pick<PodResourceState, 'podResources' | 'containerResources'>;
  /** The policies of the CPU manager and the memory manager, named as in the configuration. */
  readonly cpuManagerPolicy: string;
  readonly memoryManagerPolicy: string;
  /** Whether the container may swap, given the resources of this pod. */
  hasSwap(pod: Pod, container: Container): boolean;
}

type Resource = 'cpu' | 'memory';
const infeasible = (message: string): PodAdmitResult => ({ admit: false, reason: 'Infeasible', message });

/** Rejects resizes that are infeasible on this node (upstream: NewPodResizesAdmitHandler). */
export const podResizesAdmitHandler = (settings: PodResizeSettings): PodAdmitHandler => ({
  async admit(pod, _others, operation) {
    if (operation !== 'resize') return { admit: true };
    if (changesSwap(settings, pod)) return infeasible('In-place resize of containers with swap is not supported.');
    if (qosClassOf(pod) !== 'Guaranteed') return { admit: true };
    const { cpuManagerPolicy, memoryManagerPolicy } = settings;
    const refusal = (manager: string, policy: string): PodAdmitResult =>
      infeasible(`Resize is infeasible for Guaranteed Pods alongside ${manager} policy ${quote(policy)}`);
    if (cpuManagerPolicy === 'static' && changes(settings, pod, 'cpu')) return refusal('CPU Manager', cpuManagerPolicy);
    if (memoryManagerPolicy === 'Static' && changes(settings, pod, 'memory'))
      return refusal('Memory Manager', memoryManagerPolicy);
    return { admit: true };
  },
});

/** Whether a changed memory request changes the swap limit of a container. A container that restarts gets a new swap limit anyway. */
function changesSwap({ allocated, hasSwap }: PodResizeSettings, desired: Pod): boolean {
  const held = allocatedPod(desired, allocated);
  const before = new Map(resizableContainers(held).map((one) => [one.name, one]));
  return resizableContainers(desired).some((container) => {
    const own = before.get(container.name);
    if (own === undefined || isSame(container, own, 'memory') || restartsForMemory(own.resizePolicy)) return false;
    return hasSwap(desired, container) || hasSwap(held, own);
  });
}

/** Whether a container of a Guaranteed pod changes this resource. Its limits equal its requests. */
const changes = ({ allocated }: PodResizeSettings, pod: Pod, name: Resource): boolean =>
  resizableContainers(pod).some(
    (one) => !isSame(one, { resources: allocated.containerResources(uidOf(pod), one.name) ?? {} }, name),
  );

const isSame = (a: Pick<Container, 'resources'>, b: Pick<Container, 'resources'>, name: Resource): boolean =>
  compareQuantities(ownField(a.resources.requests, name) ?? '0', ownField(b.resources.requests, name) ?? '0') === 0;

const restartsForMemory = (policies: readonly ContainerResizePolicy[] = []): boolean =>
  policies.find(({ resourceName }) => resourceName === 'memory')?.restartPolicy === 'RestartContainer';

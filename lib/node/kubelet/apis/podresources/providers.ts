import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type {
  ContainerDevices,
  ContainerMemory,
  DynamicResource,
} from '#lib/node/kubelet-api/generated/podresources-v1.ts';

/** The devices of containers and of the node, one entry for each device and NUMA node. */
export interface DevicesProvider {
  /** Frees the devices of pods that ended. */
  updateAllocatedDevices(): void;
  getDevices(podUID: string, containerName: string): ContainerDevices[];
  /** Every healthy device, whether a pod has it or not. */
  getAllocatableDevices(): ContainerDevices[];
}

/** The pods of the node. */
export interface PodsProvider {
  /** Pods that are admitted and have not ended. */
  getActivePods(): readonly Pod[];
  getPods(): readonly Pod[];
  /** Undefined where the node has no such pod, or it has ended. */
  getPodByName(namespace: string, name: string): Pod | undefined;
}

/** The CPUs that containers have for themselves. */
export interface CPUsProvider {
  getCPUs(podUID: string, containerName: string): number[];
  getAllocatableCPUs(): number[];
}

/** The memory that containers have for themselves. */
export interface MemoryProvider {
  getMemory(podUID: string, containerName: string): ContainerMemory[];
  getAllocatableMemory(): ContainerMemory[];
}

/** The resources of claims. */
export interface DynamicResourcesProvider {
  getDynamicResources(pod: Pod, container: Container): DynamicResource[];
}

/** The sources of the pod resources API (upstream: PodResourcesProviders). */
export interface PodResourcesProviders {
  readonly pods: PodsProvider;
  readonly devices: DevicesProvider;
  readonly cpus: CPUsProvider;
  readonly memory: MemoryProvider;
  readonly dynamicResources: DynamicResourcesProvider;
}

import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type {
  ContainerDevices,
  ContainerMemory,
  DynamicResource,
} from '#lib/node/kubelet-api/generated/podresources-v1.ts';

/** The devices of containers and of the node, one entry for each device and NUMA node. */
export interface DevicesProvider {
  /** Frees the devices of terminated pods. */
  updateAllocatedDevices(): void;
  getDevices(podUID: string, containerName: string): ContainerDevices[];
  /** All healthy devices, allocated or not. */
  getAllocatableDevices(): ContainerDevices[];
}

/** The pods of the node. */
export interface PodsProvider {
  /** The admitted pods that have not terminated. */
  getActivePods(): readonly Pod[];
  getPods(): readonly Pod[];
  /** Undefined if the node has no such pod or it has terminated. */
  getPodByName(namespace: string, name: string): Pod | undefined;
}

/** The exclusive CPUs of containers. */
export interface CPUsProvider {
  getCPUs(podUID: string, containerName: string): number[];
  getAllocatableCPUs(): number[];
}

/** The memory assigned to containers. */
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

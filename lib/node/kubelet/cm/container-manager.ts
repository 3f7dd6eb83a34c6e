import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { ContainerConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RunContainerOptions } from '../container/runtime.ts';
import type { PodAdmitHandler } from '../lifecycle/pod-admit.ts';

/** Capacities of extended resources: `resource → number`. */
export type ResourceCounts = Readonly<Record<string, number>>;

/** The machine's resources and their allocation to containers (upstream: cm.ContainerManager). */
export interface ContainerManager {
  /** Allocates devices, CPUs and memory to a pod, or rejects it (`UnexpectedAdmissionError`, `TopologyAffinityError`). */
  readonly admitHandler: PodAdmitHandler;
  /** The options that plugins require for a container: environment, mounts, devices, CDI names, annotations. */
  resources(pod: Pod, container: Container): Promise<RunContainerOptions>;
  /** Sets the CPUs and memory nodes of a container before it is created. Applies CDI devices if the runtime does not. */
  preCreateContainer(pod: Pod, container: Container, config: ContainerConfig): Promise<void>;
  preStartContainer(pod: Pod, container: Container, containerID: string): void;
  postStopContainer(containerID: string): void;
  /** Capacity, allocatable and removed resources of device plugins, for the Node's status. */
  devicePluginResources(): { capacity: ResourceCounts; allocatable: ResourceCounts; removed: readonly string[] };
  prepareDynamicResources(pod: Pod): Promise<void>;
  unprepareDynamicResources(pod: Pod): Promise<void>;
  /** Adds the health of devices to a pod's status. */
  updateAllocatedResourcesStatus(pod: Pod, status: PodStatus): void;
}

import type { Container, Node, Pod } from '#lib/api/types/core.v1.ts';
import type { ContainerManager } from '#lib/kubelet/cm/container-manager.ts';

export interface NodeResources {
  readonly manager: ContainerManager;
  updatePluginResources(node: Node, pod: Pod): Node;
  start(signal: AbortSignal): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
  hasExclusiveCPUs(pod: Pod, container?: Container): boolean;
}
const NO = { envs: [], mounts: [], devices: [], cdiDevices: [], annotations: {}, podContainerDir: '', hostname: '' };
export const noResources: NodeResources = {
  manager: {
    admitHandler: { admit: async () => ({ admit: true }) },
    resources: async () => NO,
    preCreateContainer: () => undefined,
    preStartContainer: () => undefined,
    postStopContainer: () => undefined,
    devicePluginResources: () => ({ capacity: {}, allocatable: {}, removed: [] }),
    prepareDynamicResources: async () => undefined,
    unprepareDynamicResources: async () => undefined,
    updateAllocatedResourcesStatus: () => undefined,
  },
  updatePluginResources: (node) => node,
  start: async () => undefined,
  run: async () => undefined,
  hasExclusiveCPUs: () => false,
};

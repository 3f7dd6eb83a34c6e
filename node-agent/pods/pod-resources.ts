import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { containerDevices } from '#lib/node/kubelet/apis/podresources/container-devices.ts';
import { type PodSource, podsProvider } from '#lib/node/kubelet/apis/podresources/pods-provider.ts';
import type { PodResourcesProviders } from '#lib/node/kubelet/apis/podresources/providers.ts';
import type { CPUManager } from '#lib/node/kubelet/cm/cpumanager/cpu-manager.ts';
import type { DeviceManager } from '#lib/node/kubelet/cm/devicemanager/manager.ts';
import type { ClaimInfo } from '#lib/node/kubelet/cm/dra/claim-info.ts';
import type { DRAManager } from '#lib/node/kubelet/cm/dra/manager.ts';
import { containerRequests } from '#lib/node/kubelet/cm/dra/pod-claim-names.ts';
import type { MemoryManager } from '#lib/node/kubelet/cm/memorymanager/memory-manager.ts';
import type { Block } from '#lib/node/kubelet/cm/memorymanager/state.ts';
import type {
  ClaimResource,
  ContainerMemory,
  DynamicResource,
} from '#lib/node/kubelet-api/generated/podresources-v1.ts';

/** The managers that provide data for the pod resources API. */
export interface ResourceManagers {
  readonly devices: DeviceManager;
  readonly cpus: CPUManager;
  readonly memory: MemoryManager;
  readonly dra: DRAManager;
}

/** The sources of the pod resources API. */
export const podResourcesProviders = (
  source: PodSource,
  { devices, cpus, memory, dra }: ResourceManagers,
): PodResourcesProviders => ({
  pods: podsProvider(source),
  devices: {
    updateAllocatedDevices: () => devices.updateAllocatedDevices(),
    getDevices: (podUID, containerName) => containerDevices(devices.getDevices({ podUID, containerName })),
    getAllocatableDevices: () => containerDevices(devices.getAllocatableDevices()),
  },
  cpus: {
    getCPUs: (podUID, containerName) => cpus.exclusiveCPUs(podUID, containerName).list(),
    getAllocatableCPUs: () => cpus.allocatableCPUs.list(),
  },
  memory: {
    getMemory: (podUID, containerName) => memory.memory(podUID, containerName).map(containerMemory),
    getAllocatableMemory: () => memory.allocatableMemory.map(containerMemory),
  },
  dynamicResources: { getDynamicResources: (pod, container) => dynamicResources(dra, pod, container) },
});

const containerMemory = ({ type, size, numaAffinity }: Block): ContainerMemory => ({
  memoryType: type,
  size,
  topology: { nodes: numaAffinity.map((ID) => ({ ID })) },
});

/** The claims of a container. Empty if any of them does not exist yet or is unknown. */
function dynamicResources(dra: DRAManager, pod: Pod, container: Container): DynamicResource[] {
  const infos = claimNames(pod, container).map((name) => dra.claimInfo(pod.metadata.namespace ?? '', name));
  return infos.includes(undefined) ? [] : infos.flatMap((info) => (info === undefined ? [] : dynamicResource(info)));
}

function claimNames(pod: Pod, container: Container): string[] {
  try {
    return [...containerRequests(pod, container).keys()];
  } catch {
    return []; // a claim that does not exist yet has no resources
  }
}

const dynamicResource = ({ claimName, namespace, drivers }: ClaimInfo): DynamicResource => ({
  claimName,
  claimNamespace: namespace,
  claimResources: [...drivers].flatMap(([driverName, devices]) =>
    devices.map(
      ({ poolName, deviceName, shareID, cdiDeviceIDs }): ClaimResource => ({
        cdiDevices: cdiDeviceIDs.map((name) => ({ name })),
        driverName,
        poolName,
        deviceName,
        shareId: shareID,
      }),
    ),
  ),
});

import { ContainerAllocateResponse } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { DevicesPerNUMA, PodDevicesEntry } from './checkpoint/checkpoint.ts';

/** A container's devices of one resource, and the settings that their plugin requires. Immutable. */
export interface DeviceAllocateInfo {
  readonly deviceIDs: DevicesPerNUMA;
  readonly allocResp: ContainerAllocateResponse;
}

/** A container of a pod. */
export interface ContainerKey {
  readonly podUID: string;
  readonly containerName: string;
}

type Resources = Map<string, DeviceAllocateInfo>;

/** Every ID of an allocation, without duplicates. */
export const idsOf = (devices: DevicesPerNUMA): Set<string> => new Set([...devices.values()].flat());

/** The devices allocated to containers (upstream: podDevices). */
export class PodDevices {
  readonly #pods = new Map<string, Map<string, Resources>>();
  /** Number of a pod's allocations that include a device, by resource, device and pod. */
  readonly #holders = new Map<string, Map<string, Map<string, number>>>();

  /** UIDs of pods with devices. */
  pods(): string[] {
    return [...this.#pods.keys()];
  }

  hasPod(podUID: string): boolean {
    return this.#pods.has(podUID);
  }

  /** Whether any container has the resource. */
  hasResource(resource: string): boolean {
    return this.#holders.has(resource);
  }

  isAllocated(resource: string, id: string): boolean {
    return this.#holders.get(resource)?.has(id) ?? false;
  }

  /** The pods that have a device. */
  podsWith(resource: string, id: string): Iterable<string> {
    return this.#holders.get(resource)?.get(id)?.keys() ?? [];
  }

  /** How many devices are allocated, by resource. */
  allocatedCounts(): Map<string, number> {
    return new Map([...this.#holders].map(([resource, devices]) => [resource, devices.size]));
  }

  insert({ podUID, containerName }: ContainerKey, resource: string, info: DeviceAllocateInfo): void {
    const containers = this.#pods.get(podUID) ?? new Map<string, Resources>();
    const resources = containers.get(containerName) ?? new Map<string, DeviceAllocateInfo>();
    this.#release(podUID, resource, resources.get(resource));
    this.#pods.set(podUID, containers);
    containers.set(containerName, resources);
    resources.set(resource, info);
    const devices = this.#holders.get(resource) ?? new Map<string, Map<string, number>>();
    this.#holders.set(resource, devices);
    for (const id of idsOf(info.deviceIDs)) {
      const pods = devices.get(id) ?? new Map<string, number>();
      devices.set(id, pods.set(podUID, (pods.get(podUID) ?? 0) + 1));
    }
  }

  delete(podUID: string): void {
    for (const resources of this.#pods.get(podUID)?.values() ?? [])
      for (const [resource, info] of resources) this.#release(podUID, resource, info);
    this.#pods.delete(podUID);
  }

  #release(podUID: string, resource: string, info: DeviceAllocateInfo | undefined): void {
    const devices = this.#holders.get(resource);
    if (info === undefined || devices === undefined) return;
    for (const id of idsOf(info.deviceIDs)) {
      const pods = devices.get(id);
      const left = (pods?.get(podUID) ?? 0) - 1;
      if (left > 0) pods?.set(podUID, left);
      else pods?.delete(podUID);
      if (pods?.size === 0) devices.delete(id);
    }
    if (devices.size === 0) this.#holders.delete(resource);
  }

  /** The allocations of a container, by resource. Empty if it has none. */
  container({ podUID, containerName }: ContainerKey): ReadonlyMap<string, DeviceAllocateInfo> {
    return this.#pods.get(podUID)?.get(containerName) ?? new Map<string, DeviceAllocateInfo>();
  }

  /** The IDs of a container's devices, or undefined if it has no allocation of the resource. */
  containerDevices(key: ContainerKey, resource: string): Set<string> | undefined {
    const info = this.container(key).get(resource);
    return info && idsOf(info.deviceIDs);
  }

  /** The IDs of a pod's devices. */
  podDevices(podUID: string, resource: string): Set<string> {
    const ids = new Set<string>();
    for (const resources of this.#pods.get(podUID)?.values() ?? [])
      for (const id of idsOf(resources.get(resource)?.deviceIDs ?? new Map<number, string[]>())) ids.add(id);
    return ids;
  }

  /** Every allocation, for a checkpoint. */
  toCheckpointData(): PodDevicesEntry[] {
    const entries: PodDevicesEntry[] = [];
    for (const [podUID, containers] of this.#pods)
      for (const [containerName, resources] of containers)
        for (const [resourceName, info] of resources)
          entries.push(entryOf({ podUID, containerName }, resourceName, info));
    return entries;
  }

  /** Adds the allocations from a checkpoint. Skips those whose response cannot be decoded, and calls `onFault` with the reason. */
  fromCheckpointData(entries: readonly PodDevicesEntry[], onFault: (error: unknown) => void): void {
    for (const { podUID, containerName, resourceName, deviceIDs, allocResp } of entries) {
      try {
        const info = { deviceIDs, allocResp: ContainerAllocateResponse.decode(allocResp) };
        this.insert({ podUID, containerName }, resourceName, info);
      } catch (error) {
        const what = `cannot read the allocation of ${resourceName} to container ${containerName} of pod ${podUID}`;
        onFault(new Error(what, { cause: error }));
      }
    }
  }
}

/** Caches the checkpoint entry of each allocation, because every checkpoint contains it again. */
const known = new WeakMap<DeviceAllocateInfo, PodDevicesEntry>();

function entryOf(key: ContainerKey, resourceName: string, info: DeviceAllocateInfo): PodDevicesEntry {
  const before = known.get(info);
  if (before !== undefined) return before;
  const { deviceIDs, allocResp } = info;
  const entry = { ...key, resourceName, deviceIDs, allocResp: ContainerAllocateResponse.encode(allocResp).finish() };
  known.set(info, entry);
  return entry;
}

import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { AffinityStore } from '../topologymanager/hint-provider.ts';
import { devicesToAllocate } from './devices-to-allocate.ts';
import type { ContainerKey } from './pod-devices.ts';
import type { DeviceState, Reservation } from './state.ts';

/** The parts of the device manager that an allocation needs. */
export interface AllocationPorts {
  readonly state: DeviceState;
  readonly affinity: AffinityStore;
  /** Whether the container was running when the agent started, and not every pod source has delivered its pods yet. */
  isRunning(key: ContainerKey): boolean;
  /** Frees the devices of terminated pods. */
  updateAllocatedDevices(): void;
  /** Resolves when the allocations are on disk. */
  writeCheckpoint(): Promise<void>;
  /** Records the duration of a plugin's Allocate in milliseconds. */
  observe(resource: string, milliseconds: number): void;
  /** Monotonic time in milliseconds. */
  now(): number;
}

/** The resource names and counts in a container's limits. */
export const limitsOf = (container: Container): [resource: string, count: number][] =>
  Object.entries(container.resources?.limits ?? {}).map(([name, limit]) => [name, Number(wholeValue(limit))]);

/** A container of a pod. */
export const keyOf = (pod: Pod, container: Container): ContainerKey => ({
  podUID: pod.metadata?.uid ?? '',
  containerName: container.name,
});

/** Allocates devices to containers one at a time, init containers first. */
export class DeviceAllocation {
  readonly #ports: AllocationPorts;
  /** Devices of the init containers of the pod being admitted, by resource. Later containers reuse them. */
  #reuse: { readonly podUID: string; readonly devices: Map<string, Set<string>> } = { podUID: '', devices: new Map() };

  constructor(ports: AllocationPorts) {
    this.#ports = ports;
  }

  /** The devices of a resource that the pod's init containers used. */
  reusable(podUID: string, resource: string): ReadonlySet<string> {
    return (this.#reuse.podUID === podUID ? this.#reuse.devices.get(resource) : undefined) ?? new Set<string>();
  }

  /** Throws Error with upstream's text if a plugin refuses or has too few devices. */
  async allocate(pod: Pod, container: Container): Promise<void> {
    const key = keyOf(pod, container);
    if (this.#reuse.podUID !== key.podUID) this.#reuse = { podUID: key.podUID, devices: new Map() };
    const { devices } = this.#reuse;
    await this.#allocateContainer(pod, container, devices);
    const initial = (pod.spec.initContainers ?? []).find(({ name }) => name === container.name);
    const ended = initial !== undefined && !isSidecar(initial);
    for (const [resource] of this.#ports.state.podDevices.container(key)) {
      const ids = this.#ports.state.podDevices.containerDevices(key, resource) ?? [];
      const reusable = devices.get(resource) ?? new Set<string>();
      devices.set(resource, reusable);
      for (const id of ids)
        if (ended) reusable.add(id);
        else reusable.delete(id);
    }
  }

  async #allocateContainer(pod: Pod, container: Container, reusable: ReadonlyMap<string, Set<string>>): Promise<void> {
    const { state, affinity } = this.#ports;
    const key = keyOf(pod, container);
    const limits = limitsOf(container).filter(
      ([resource]) => !isDRAExtendedResource(pod, container.name, resource) && state.isDevicePluginResource(resource),
    );
    if (limits.length > 0) this.#ports.updateAllocatedDevices();
    let written = true;
    for (const [resource, required] of limits) {
      const reservation = await devicesToAllocate(state, {
        key,
        resource,
        required,
        reusable: reusable.get(resource) ?? new Set<string>(),
        hint: affinity.getAffinity(key.podUID, key.containerName),
        isRunning: this.#hasStarted(pod, container),
      });
      if (reservation === undefined) continue;
      written = false;
      await this.#callPlugin(key, reservation);
    }
    if (!written) await this.#ports.writeCheckpoint();
  }

  /**
   * Whether the container was running when the agent started. It then has its devices already. A terminated init container counts too if a
   * later container of the pod was running. Upstream rejects such a pod.
   */
  #hasStarted(pod: Pod, container: Container): boolean {
    const isRunning = ({ name }: Container): boolean =>
      this.#ports.isRunning({ podUID: pod.metadata.uid ?? '', containerName: name });
    return isRunning(container) || containersAfter(pod, container).some(isRunning);
  }

  async #callPlugin(key: ContainerKey, reservation: Reservation): Promise<void> {
    const { state, now, observe } = this.#ports;
    const { resource, ids } = reservation;
    const start = now();
    try {
      const endpoint = state.endpoints.get(resource);
      if (endpoint === undefined) throw new Error(`unknown Device Plugin ${resource}`);
      const allocResp = await endpoint.allocate(ids);
      state.podDevices.insert(key, resource, { deviceIDs: state.devices(resource).perNUMA(ids), allocResp });
    } finally {
      observe(resource, now() - start);
      state.release(reservation);
    }
  }

  /** Calls PreStartContainer of the resource's plugin, if the plugin requires it. Throws Error with upstream's text. */
  async preStart(key: ContainerKey, resource: string): Promise<void> {
    const { endpoints, podDevices } = this.#ports.state;
    const endpoint = endpoints.get(resource);
    if (endpoint === undefined) throw new Error(`endpoint not found in cache for a registered resource: ${resource}`);
    if (!endpoint.preStartRequired) return;
    const ids = podDevices.containerDevices(key, resource);
    if (ids === undefined)
      throw new Error(
        `no devices found allocated in local cache for pod ${key.podUID}, container ${key.containerName}, resource ${resource}`,
      );
    try {
      await endpoint.preStartContainer(ids);
    } catch (error) {
      throw new Error(`device plugin PreStartContainer rpc failed with err: ${messageOfError(error)}`, {
        cause: error,
      });
    }
  }
}

/** The containers that start after this one terminates. Empty unless this is an init container. */
function containersAfter({ spec }: Pod, container: Container): readonly Container[] {
  const initContainers = spec.initContainers ?? [];
  const at = initContainers.findIndex(({ name }) => name === container.name);
  return at === -1 || isSidecar(container) ? [] : [...initContainers.slice(at + 1), ...(spec.containers ?? [])];
}

/** Whether the scheduler satisfied the resource with a ResourceClaim, so that no device plugin is involved. */
const isDRAExtendedResource = ({ status }: Pod, containerName: string, resourceName: string): boolean =>
  (status?.extendedResourceClaimStatus?.requestMappings ?? []).some(
    (request) => request.containerName === containerName && request.resourceName === resourceName,
  );

import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { CheckpointFile } from '../../checkpointmanager/checkpoint-file.ts';
import type { CheckpointStore } from '../../checkpointmanager/checkpoint-store.ts';
import type { ResourceCounts } from '../container-manager.ts';
import type { AffinityStore, HintProvider, TopologyHint, TopologyHints } from '../topologymanager/hint-provider.ts';
import { DeviceAllocation, keyOf, limitsOf } from './allocate.ts';
import { withDeviceHealth } from './allocated-resources-status.ts';
import { type DevicesPerNUMA, decodeCheckpoint, encodeCheckpoint } from './checkpoint/checkpoint.ts';
import { CHECKPOINT, MAX_RESOURCES } from './constants.ts';
import { type ConnectedPlugin, Endpoint } from './endpoint.ts';
import type { PluginListener } from './plugin/v1beta1/client.ts';
import type { ContainerKey } from './pod-devices.ts';
import { type DeviceRunContainerOptions, deviceRunContainerOptions } from './run-container-options.ts';
import { DeviceState } from './state.ts';
import { deviceTopologyHints } from './topology-hints.ts';

/** The settings and ports of a device manager. */
export interface DeviceManagerOptions {
  /** The device plugin directory. */
  readonly store: CheckpointStore;
  readonly clock: Clock;
  /** The machine's NUMA nodes. */
  readonly numaNodes: readonly number[];
  readonly affinity: AffinityStore;
  /** Pods that have not terminated, including a pod being admitted. The devices of all other pods are freed. */
  activePods(): readonly Pod[];
  /** Whether every pod source has delivered its pods. */
  allSourcesReady(): boolean;
  /** Whether the container was running in the runtime when the agent started. */
  wasRunning(key: ContainerKey): boolean;
  /** Called when capacity or allocatable changed. It should report the Node's status soon. A plugin can cause frequent changes. */
  capacityChanged(): void;
  /** Called with the UIDs of pods whose devices changed health. */
  podsChanged(podUIDs: readonly string[]): void;
  /** Records the duration of a plugin's Allocate in milliseconds. */
  observeAllocation(resource: string, milliseconds: number): void;
  /** Called with errors that no caller receives. */
  onFault(error: unknown): void;
}

/** The devices of plugins and their allocation (upstream: devicemanager.ManagerImpl). The checkpoint is authoritative after a restart. */
export class DeviceManager implements HintProvider, PluginListener {
  readonly #options: DeviceManagerOptions;
  readonly #state = new DeviceState();
  readonly #allocation: DeviceAllocation;
  readonly #checkpoint: CheckpointFile;

  constructor(options: DeviceManagerOptions) {
    this.#options = options;
    this.#checkpoint = new CheckpointFile(options.store, CHECKPOINT);
    this.#allocation = new DeviceAllocation({
      state: this.#state,
      affinity: options.affinity,
      isRunning: (key) => !options.allSourcesReady() && options.wasRunning(key),
      updateAllocatedDevices: () => this.updateAllocatedDevices(),
      writeCheckpoint: () => this.#writeCheckpoint(),
      observe: (resource, milliseconds) => options.observeAllocation(resource, milliseconds),
      now: () => options.clock.monotonic(),
    });
  }

  /** Reads the checkpoint. A corrupt one counts as missing, and `onFault` receives the reason. Must be called first. */
  async start(): Promise<void> {
    const { clock, onFault } = this.#options;
    try {
      const bytes = await this.#checkpoint.read();
      if (bytes === undefined) return;
      const { entries, registered } = decodeCheckpoint(bytes);
      this.#state.podDevices.fromCheckpointData(entries, onFault);
      // Capacity is zero until the plugin registers again.
      for (const resource of registered.keys()) {
        this.#state.register(resource);
        this.#state.endpoints.set(resource, new Endpoint(resource, clock));
      }
    } catch (error) {
      const what = 'cannot read the checkpoint of device allocations, which may be out of date';
      onFault(new Error(what, { cause: error }));
    }
  }

  pluginConnected(resource: string, plugin: ConnectedPlugin): void {
    const { endpoints } = this.#state;
    if (!endpoints.has(resource) && endpoints.size >= MAX_RESOURCES)
      throw new RangeError(`there are ${MAX_RESOURCES} resources of device plugins already`);
    endpoints.set(resource, new Endpoint(resource, this.#options.clock, plugin));
  }

  pluginDisconnected(resource: string): void {
    const endpoint = this.#state.endpoints.get(resource);
    if (endpoint === undefined) return;
    endpoint.stop();
    this.#state.register(resource).strand();
    this.#options.capacityChanged();
  }

  async pluginListAndWatch(resource: string, list: readonly Device[]): Promise<void> {
    const isNew = !this.#state.registered.has(resource);
    const { health, same } = this.#state.register(resource).replace(list);
    if (same && !isNew) return;
    const pods = new Set(health.flatMap((id) => [...this.#state.podDevices.podsWith(resource, id)]));
    if (pods.size > 0) this.#options.podsChanged([...pods]);
    this.#options.capacityChanged();
    await this.#writeCheckpoint().catch(this.#options.onFault);
  }

  allocate(pod: Pod, container: Container): Promise<void> {
    return this.#allocation.allocate(pod, container);
  }

  /**
   * Capacity and allocatable by resource for the Node's status, and the resources to remove from it. A resource appears once among those to
   * remove, five minutes after its plugin stopped.
   */
  getCapacity(): {
    readonly capacity: ResourceCounts;
    readonly allocatable: ResourceCounts;
    readonly removed: string[];
  } {
    const capacity = new Map<string, number>();
    const allocatable = new Map<string, number>();
    const removed: string[] = [];
    for (const resource of this.#state.registered) {
      const endpoint = this.#state.endpoints.get(resource);
      if (endpoint === undefined || endpoint.stopGracePeriodExpired()) removed.push(resource);
      else {
        const devices = this.#state.devices(resource);
        capacity.set(resource, devices.capacity);
        allocatable.set(resource, devices.healthy.size);
      }
    }
    for (const resource of removed) this.#state.remove(resource);
    if (removed.length > 0) void this.#writeCheckpoint().catch(this.#options.onFault);
    return { capacity: Object.fromEntries(capacity), allocatable: Object.fromEntries(allocatable), removed };
  }

  /**
   * Allocatable for the admission of a pod. A pod that already has devices is admitted again after a restart, even before its plugin
   * registers again (upstream: UpdatePluginResources).
   */
  updatePluginResources(pod: Pod, allocatable: ResourceCounts): ResourceCounts {
    const { podDevices } = this.#state;
    if (!podDevices.hasPod(pod.metadata?.uid ?? '')) return allocatable;
    const enough = new Map(Object.entries(allocatable));
    for (const [resource, count] of podDevices.allocatedCounts())
      enough.set(resource, Math.max(enough.get(resource) ?? 0, count));
    return Object.fromEntries(enough);
  }

  /** Frees the devices of pods that are not active. Does nothing until every pod source has delivered its pods. */
  updateAllocatedDevices(): void {
    const { activePods, allSourcesReady } = this.#options;
    const active = new Set(activePods().map(({ metadata }) => metadata?.uid));
    if (!allSourcesReady()) return;
    for (const podUID of this.#state.podDevices.pods()) if (!active.has(podUID)) this.#state.podDevices.delete(podUID);
  }

  /**
   * The settings of a container that is about to start, after its plugins were called. Undefined if it has no devices. Allocates devices
   * again if their allocation was lost. Throws Error with upstream's text.
   */
  async getDeviceRunContainerOptions(pod: Pod, container: Container): Promise<DeviceRunContainerOptions | undefined> {
    const key = keyOf(pod, container);
    const { podDevices } = this.#state;
    let isMissing = false;
    for (const [resource, count] of limitsOf(container)) {
      if (count === 0 || !this.#state.isDevicePluginResource(resource)) continue;
      await this.#allocation.preStart(key, resource);
      if (!this.#options.activePods().some(({ metadata }) => metadata?.uid === key.podUID)) continue;
      isMissing ||= podDevices.containerDevices(key, resource) === undefined;
    }
    if (isMissing) await this.allocate(pod, container);
    const allocations = podDevices.container(key);
    if (allocations.size === 0) return undefined;
    const where = `pod ${key.podUID}, container ${key.containerName}`;
    return deviceRunContainerOptions(allocations.values(), (message) =>
      this.#options.onFault(new Error(`${where}: ${message}`)),
    );
  }

  getTopologyHints(pod: Pod, container: Container): TopologyHints {
    this.updateAllocatedDevices();
    const key = keyOf(pod, container);
    return this.#hints(limitsOf(container), (resource) => ({
      allocated: this.#state.podDevices.containerDevices(key, resource) ?? new Set(),
      reusable: this.#allocation.reusable(key.podUID, resource),
    }));
  }

  getPodTopologyHints(pod: Pod): TopologyHints {
    this.updateAllocatedDevices();
    const limits = [...aggregateContainers(pod.spec, 'limits')];
    return this.#hints(
      limits.map(([name, limit]) => [name, Number(wholeValue(limit))]),
      (resource) => ({
        allocated: this.#state.podDevices.podDevices(pod.metadata?.uid ?? '', resource),
        reusable: new Set(),
      }),
    );
  }

  #hints(
    limits: readonly [resource: string, request: number][],
    has: (resource: string) => { readonly allocated: ReadonlySet<string>; readonly reusable: ReadonlySet<string> },
  ): TopologyHints {
    const { numaNodes } = this.#options;
    const hints = new Map<string, readonly TopologyHint[] | undefined>();
    for (const [resource, request] of limits) {
      if (!this.#state.isDevicePluginResource(resource)) continue;
      const devices = this.#state.devices(resource);
      const { allocated, reusable } = has(resource);
      const available = this.#state.available(resource);
      if (!devices.hasTopologyAlignment()) hints.set(resource, undefined);
      else if (allocated.size > 0)
        hints.set(
          resource,
          allocated.size === request
            ? deviceTopologyHints(devices, { available: allocated, reusable: [], request, numaNodes })
            : [],
        );
      else if (new Set([...available, ...reusable]).size < request) hints.set(resource, []);
      else hints.set(resource, deviceTopologyHints(devices, { available, reusable, request, numaNodes }));
    }
    return hints;
  }

  /** The devices of a container, by resource and NUMA node, for the pod resources API. */
  getDevices(key: ContainerKey): ReadonlyMap<string, DevicesPerNUMA> {
    return new Map(
      [...this.#state.podDevices.container(key)].map(([resource, { deviceIDs }]) => [resource, deviceIDs]),
    );
  }

  /** Every healthy device by resource and NUMA node, allocated or not. */
  getAllocatableDevices(): ReadonlyMap<string, DevicesPerNUMA> {
    const registered = [...this.#state.registered].map(
      (resource) => [resource, this.#state.devices(resource)] as const,
    );
    return new Map(registered.map(([resource, devices]) => [resource, devices.perNUMA(devices.healthy)]));
  }

  /** A pod's status with the health of its devices. */
  updateAllocatedResourcesStatus(pod: Pod, status: PodStatus): PodStatus {
    if (status.containerStatuses === undefined) return status;
    const podUID = pod.metadata?.uid ?? '';
    const containerStatuses = status.containerStatuses.map((container) =>
      withDeviceHealth(
        container,
        this.#state.podDevices.container({ podUID, containerName: container.name }),
        (resource, id) => this.#state.healthOf(resource, id),
      ),
    );
    return { ...status, containerStatuses };
  }

  /** Whether the Node's extended resource capacities must be reset: an empty directory means that the machine is new. */
  async shouldResetExtendedResourceCapacity(): Promise<boolean> {
    try {
      return (await this.#options.store.list()).length === 0;
    } catch (error) {
      this.#options.onFault(error);
      return false;
    }
  }

  async #writeCheckpoint(): Promise<void> {
    const registered = new Map([...this.#state.registered].map((name) => [name, this.#state.devices(name).healthyIDs]));
    const data = encodeCheckpoint({ entries: this.#state.podDevices.toCheckpointData(), registered });
    try {
      await this.#checkpoint.write(data);
    } catch (error) {
      throw new Error(`failed to write checkpoint file "${CHECKPOINT}": ${messageOfError(error)}`, { cause: error });
    }
  }
}

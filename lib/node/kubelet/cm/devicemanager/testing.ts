import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import {
  AllocateResponse,
  ContainerAllocateResponse,
  Device,
  type DevicePluginOptions,
} from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { DevicePluginClient } from '#lib/node/kubelet-api/services.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryCheckpoints } from '../../checkpointmanager/testing.ts';
import { aPod } from '../../testing/pods.ts';
import { NO_AFFINITY, type TopologyHint } from '../topologymanager/hint-provider.ts';
import type { ConnectedPlugin } from './endpoint.ts';
import { DeviceManager, type DeviceManagerOptions } from './manager.ts';

/** A device, by default healthy and without a NUMA node. */
export const aDevice = (id: string, node?: number, health = 'Healthy'): Device =>
  Device.fromPartial({ ID: id, health, ...(node !== undefined && { topology: { nodes: [{ ID: node }] } }) });

/** Devices `dev1` to `devN`. */
export const devices = (count: number): Device[] =>
  Array.from({ length: count }, (_, index) => aDevice(`dev${index + 1}`));

/** An in-memory plugin. It responds with an environment variable that lists the devices. */
export class FakePlugin implements ConnectedPlugin {
  readonly options: DevicePluginOptions;
  /** The calls so far, such as `Allocate dev1,dev2`. */
  readonly calls: string[] = [];
  /** The time-out of each Allocate and PreStartContainer in milliseconds. */
  readonly timeouts: (number | undefined)[] = [];
  /** Replaces the response of Allocate. */
  answer: (ids: readonly string[]) => Promise<AllocateResponse> = async (ids) =>
    AllocateResponse.fromPartial({ containerResponses: [{ envs: { DEVICES: ids.join(',') } }] });
  /** Chooses the preferred devices among the available ones. */
  prefers: (available: readonly string[], size: number) => Promise<readonly string[]> = async () => [];
  /** The error of PreStartContainer. */
  preStartError: Error | undefined;

  constructor(options: Partial<DevicePluginOptions> = {}) {
    this.options = { preStartRequired: false, getPreferredAllocationAvailable: false, ...options };
  }

  readonly api: DevicePluginClient = {
    getDevicePluginOptions: async () => this.options,
    async *listAndWatch() {
      yield* [];
    },
    getPreferredAllocation: async ({ containerRequests = [] }) => {
      const [{ availableDeviceIDs = [], mustIncludeDeviceIDs = [], allocationSize = 0 } = {}] = containerRequests;
      const must = mustIncludeDeviceIDs.length === 0 ? '' : ` with ${mustIncludeDeviceIDs.join(',')}`;
      this.calls.push(`GetPreferredAllocation ${allocationSize} of ${availableDeviceIDs.join(',')}${must}`);
      return { containerResponses: [{ deviceIDs: [...(await this.prefers(availableDeviceIDs, allocationSize))] }] };
    },
    allocate: ({ containerRequests = [] }, options) => {
      this.timeouts.push(options?.timeout);
      const ids = containerRequests[0]?.devicesIds ?? [];
      this.calls.push(`Allocate ${ids.join(',')}`);
      return this.answer(ids);
    },
    preStartContainer: async ({ devicesIds = [] }, options) => {
      this.timeouts.push(options?.timeout);
      this.calls.push(`PreStartContainer ${devicesIds.join(',')}`);
      if (this.preStartError !== undefined) throw this.preStartError;
      return {};
    },
  };
}

/** A plugin's response to Allocate. */
export const anAnswer = (response: Parameters<typeof ContainerAllocateResponse.fromPartial>[0]): AllocateResponse =>
  AllocateResponse.fromPartial({ containerResponses: [response] });

/** A container that requests devices: `aContainer('app', { 'example.com/gpu': 2 })`. */
export const aContainer = (name: string, limits: Readonly<Record<string, number>>): Container => ({
  name,
  image: 'busybox',
  resources: {
    limits: Object.fromEntries(Object.entries(limits).map(([resource, count]) => [resource, String(count)])),
  },
});

/** A pod with these containers. */
export const podOf = (name: string, containers: Container[], initContainers: Container[] = []): Pod =>
  aPod(name, { spec: { containers, ...(initContainers.length > 0 && { initContainers }) } });

/** A device manager with a manual clock and an in-memory checkpoint. It records the calls to its ports. */
export class ManagerFixture {
  readonly clock: ManualClock;
  readonly store: MemoryCheckpoints;
  readonly manager: DeviceManager;
  /** Pods that have not terminated. */
  readonly pods: Pod[] = [];
  readonly faults: string[] = [];
  /** Number of requests to report the Node's status. */
  capacityChanges = 0;
  readonly podsChanged: string[][] = [];
  allSourcesReady = true;
  hint: TopologyHint = NO_AFFINITY;

  /** `before` simulates a restart: the new manager takes over its clock and checkpoint. */
  constructor(options: Partial<DeviceManagerOptions> = {}, before?: Pick<ManagerFixture, 'clock' | 'store'>) {
    this.clock = before?.clock ?? new ManualClock();
    this.store = before?.store ?? new MemoryCheckpoints();
    this.manager = new DeviceManager({
      store: this.store,
      clock: this.clock,
      numaNodes: [0, 1],
      affinity: { getAffinity: () => this.hint },
      activePods: () => this.pods,
      allSourcesReady: () => this.allSourcesReady,
      wasRunning: () => false,
      capacityChanged: () => void this.capacityChanges++,
      podsChanged: (uids) => void this.podsChanged.push([...uids]),
      observeAllocation: () => undefined,
      onFault: (error) => void this.faults.push(error instanceof Error ? error.message : String(error)),
      ...options,
    });
  }

  /** Connects a plugin with these devices. */
  async plugin(resource: string, list: readonly Device[], plugin: FakePlugin = new FakePlugin()): Promise<FakePlugin> {
    this.manager.pluginConnected(resource, plugin);
    await this.manager.pluginListAndWatch(resource, list);
    return plugin;
  }

  /** Allocates the devices of each container of a pod, init containers first, like admission. */
  async admit(pod: Pod): Promise<void> {
    this.pods.push(pod);
    for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])])
      await this.manager.allocate(pod, container);
  }

  /** The device IDs of a container, sorted. */
  idsOf(pod: Pod, containerName: string): string[] {
    const byResource = this.manager.getDevices({ podUID: pod.metadata.uid ?? '', containerName });
    return [...byResource.values()].flatMap((byNode) => [...byNode.values()].flat()).sort();
  }
}

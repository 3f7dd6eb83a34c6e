import { systemClock as clock } from '#adapters/clock.ts';
import { dialDevicePlugin } from '#adapters/node/grpc/deviceplugin/dial.ts';
import { serveDevicePlugins } from '#adapters/node/grpc/deviceplugin/serve.ts';
import type { SocketServer } from '#adapters/node/grpc/server.ts';
import { FileCheckpoints } from '#adapters/node/host/records/checkpoint-store.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { PodView } from '#lib/node/kubelet/cm/active-containers.ts';
import { DeviceManager } from '#lib/node/kubelet/cm/devicemanager/manager.ts';
import { DevicePluginMetrics } from '#lib/node/kubelet/cm/devicemanager/metrics.ts';
import { DevicePluginRegistration } from '#lib/node/kubelet/cm/devicemanager/plugin/v1beta1/registration.ts';
import type { ContainerKey } from '#lib/node/kubelet/cm/devicemanager/pod-devices.ts';
import type { AffinityStore } from '#lib/node/kubelet/cm/topologymanager/hint-provider.ts';
import type { Log } from '../log.ts';

/** The folder in which plugins expect the kubelet's socket, independent of --root-dir (upstream: DevicePluginPath). */
export const DEVICE_PLUGINS = '/var/lib/kubelet/device-plugins';

/** The inputs of plugin devices. */
export interface NodeDevicesInputs {
  /** The folder of sockets and of the checkpoint. */
  readonly directory: string;
  readonly numaNodes: readonly number[];
  readonly affinity: AffinityStore;
  readonly pods: PodView;
  readonly log: Log;
  wasRunning(key: ContainerKey): boolean;
  capacityChanged(): void;
  podsChanged(podUIDs: readonly string[]): void;
}

/** The plugin devices of this machine. */
export interface NodeDevices {
  readonly manager: DeviceManager;
  /** Registers plugins, including those that the plugin watcher finds. */
  readonly registration: DevicePluginRegistration;
  readonly metrics: DevicePluginMetrics;
  /** Listens on `kubelet.sock`. Every plugin then has to register again. */
  serve(): Promise<SocketServer>;
}

/** Creates the manager of devices. */
export function nodeDevices(inputs: NodeDevicesInputs): NodeDevices {
  const { directory, numaNodes, affinity, pods, log } = inputs;
  const metrics = new DevicePluginMetrics();
  const manager = new DeviceManager({
    store: new FileCheckpoints(directory),
    clock,
    numaNodes,
    affinity,
    activePods: () => pods.activePods(),
    allSourcesReady: () => pods.sourcesReady(),
    wasRunning: (key) => inputs.wasRunning(key),
    capacityChanged: () => inputs.capacityChanged(),
    podsChanged: (podUIDs) => inputs.podsChanged(podUIDs),
    observeAllocation: (resource, milliseconds) => metrics.allocated(resource, milliseconds),
    onFault: log.fault('devices of plugins'),
  });
  const registration = new DevicePluginRegistration({
    socketDir: directory,
    listener: manager,
    dial: dialDevicePlugin,
    registered: (resource) => metrics.registered(resource),
    onFault: log.fault('a device plugin ended'),
  });
  const serve = () => serveDevicePlugins(directory, { register: (request) => registration.register(request) });
  return { manager, registration, metrics, serve };
}

/**
 * The Node for the admission of a pod with devices. Its allocatable includes at least the devices assigned to pods, because their plugin
 * may not have registered again yet.
 */
export function withPluginResources(manager: DeviceManager, node: Node, pod: Pod): Node {
  const { allocatable = {} } = node.status;
  const extended = Object.entries(allocatable).filter(([name]) => isExtendedResource(name));
  const counts = Object.fromEntries(extended.map(([name, quantity]) => [name, Number(wholeValue(quantity))]));
  const raised = Object.entries(manager.updatePluginResources(pod, counts)).filter(
    ([name, count]) => !Object.hasOwn(counts, name) || count !== counts[name],
  );
  if (raised.length === 0) return node;
  const more = Object.fromEntries(raised.map(([name, count]) => [name, String(count)]));
  return { ...node, status: { ...node.status, allocatable: { ...allocatable, ...more } } };
}

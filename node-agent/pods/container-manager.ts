import { systemClock as clock } from '#adapters/clock.ts';
import { dialRegistration } from '#adapters/node/grpc/pluginregistration/dial.ts';
import { servePodResources } from '#adapters/node/grpc/podresources/serve.ts';
import type { SocketServer } from '#adapters/node/grpc/server.ts';
import { HostCDISpecs } from '#adapters/node/host/containers/cdi-specs.ts';
import { HostTopology } from '#adapters/node/host/machine/topology.ts';
import { PluginFolder } from '#adapters/node/host/programs/plugin-directory.ts';
import type { Container, Node, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { PodSource } from '#lib/node/kubelet/apis/podresources/pods-provider.ts';
import { podResourcesServers } from '#lib/node/kubelet/apis/podresources/server.ts';
import { containersOf, type PodView } from '#lib/node/kubelet/cm/active-containers.ts';
import type { ContainerManager } from '#lib/node/kubelet/cm/container-manager.ts';
import type { PluginHandler } from '#lib/node/kubelet/pluginmanager/plugin-handler.ts';
import { PluginManager } from '#lib/node/kubelet/pluginmanager/plugin-manager.ts';
import { DEVICE_PLUGINS, withPluginResources } from './device-plugins.ts';
import { podResourcesProviders } from './pod-resources.ts';
import { type ResourceContext, type ResourceHost, resourceParts } from './resource-managers.ts';

/** The node's pods, as seen by its resource managers. No method is called before a pod is admitted or `start` is called. */
export interface ResourceView {
  /** Pods that are admitted and have not ended, and the pod that is being admitted. */
  activePods(): readonly Pod[];
  /** All pods of the node. */
  pods(): readonly Pod[];
  /** The newest status of a pod. Undefined if none is known. */
  podStatus(uid: string): PodStatus | undefined;
  /** Whether all sources of pods have delivered their pods. */
  areSourcesReady(): boolean;
  /** Whether the pod is terminated: none of its containers run, and none will run again. */
  isPodKnownTerminated(uid: string): boolean;
  /** Whether the pod is being terminated. */
  isPodTerminationRequested(uid: string): boolean;
  /** Called for pods whose devices changed their health. The pods' status should be reported. */
  syncPods(uids: readonly string[]): void;
  /** Called when the devices of the Node change. The Node's status should be reported soon. */
  capacityChanged(): void;
}

/** The resources of this machine and their assignment. */
export interface NodeResources {
  readonly manager: ContainerManager;
  readonly metrics: readonly Collector[];
  /** The Node for the admission of a pod. Assigned plugin resources count even if their plugin is not connected. */
  updatePluginResources(node: Node, pod: Pod): Node;
  /**
   * Restores the assignments, then listens for plugins and monitoring agents until the signal aborts. Rejects if a stored state is invalid.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Adds a handler for another type of plugin. Call it before `run`. */
  addPluginHandler(type: string, handler: PluginHandler): void;
  /** Registers plugins and reconciles containers until the signal aborts. Call it after `start`. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether a container has exclusive CPUs. Without a container, whether any container of the pod has. */
  hasExclusiveCPUs(pod: Pod, container?: Container): boolean;
}

/**
 * Creates the manager of resources. `reservation` is the amount reserved for the system and evictions. Rejects if the machine does not
 * report its CPUs, and with upstream's text for invalid settings.
 */
export async function nodeResources(
  context: ResourceContext,
  reservation: Usage,
  view: ResourceView,
  host: ResourceHost = { devicePlugins: DEVICE_PLUGINS, topology: new HostTopology(), cdiSpecs: new HostCDISpecs() },
): Promise<NodeResources> {
  const parts = await resourceParts(context, reservation, {
    host,
    pods: podView(view),
    podsChanged: (uids) => view.syncPods(uids),
    capacityChanged: () => view.capacityChanged(),
  });
  const { manager, devices, dra } = parts;
  const { rootDir } = context;
  const plugins = pluginManager(context);
  plugins.addHandler('DevicePlugin', devices.registration);
  plugins.addHandler('DRAPlugin', dra);
  const providers = podResourcesProviders(podSource(view), { ...parts, devices: devices.manager, dra: dra.manager });
  const servers: SocketServer[] = [];
  const close = async (): Promise<void> => {
    devices.registration[Symbol.dispose]();
    dra[Symbol.dispose]();
    await Promise.all(servers.map((server) => server.close()));
  };
  return {
    manager,
    metrics: [devices.metrics],
    updatePluginResources: (node, pod) => withPluginResources(devices.manager, node, pod),
    addPluginHandler: (type, handler) => plugins.addHandler(type, handler),
    async start(signal) {
      onAbort(signal, () => void close().catch(context.log.fault('cannot close sockets')));
      try {
        await parts.restore();
        servers.push(await devices.serve());
        servers.push(await servePodResources(`${rootDir}/pod-resources`, podResourcesServers(providers, clock)));
      } catch (error) {
        await close();
        throw error;
      }
      if (signal.aborted) await close();
    },
    async run(signal) {
      await Promise.all([manager.run(signal), plugins.run(signal), dra.wipe(signal)]);
      await close();
    },
    hasExclusiveCPUs: (pod, container) =>
      (container === undefined ? containersOf(pod) : [container]).some((one) =>
        manager.containerHasExclusiveCPUs(pod, one),
      ),
  };
}

const podView = (view: ResourceView): PodView => ({
  activePods: () => view.activePods(),
  sourcesReady: () => view.areSourcesReady(),
  podStatus: (uid) => view.podStatus(uid),
});

const podSource = (view: ResourceView): PodSource => ({
  pods: () => view.pods(),
  phaseOf: (uid) => view.podStatus(uid)?.phase,
  isPodKnownTerminated: (uid) => view.isPodKnownTerminated(uid),
  isPodTerminationRequested: (uid) => view.isPodTerminationRequested(uid),
});

const pluginManager = ({ rootDir, log }: ResourceContext): PluginManager =>
  new PluginManager({
    directory: new PluginFolder(`${rootDir}/plugins_registry`, log.fault('cannot watch the folder of plugins')),
    dial: dialRegistration,
    clock,
    onFault: log.fault('cannot register a plugin'),
  });

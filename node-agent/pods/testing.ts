import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialSocket } from '#adapters/node/grpc/client.ts';
import { SocketPlugin } from '#adapters/node/grpc/deviceplugin/testing.ts';
import { HostCDISpecs } from '#adapters/node/host/containers/cdi-specs.ts';
import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { readKubeletConfiguration } from '#lib/node/kubelet/apis/config/configuration.ts';
import { machineOf } from '#lib/node/kubelet/cm/cpumanager/testing.ts';
import { FakeRuntimeService } from '#lib/node/kubelet/testing/fake-runtime-service.ts';
import { aPod } from '#lib/node/kubelet/testing/pods.ts';
import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { type PodResources, PodResourcesListerDefinition } from '#lib/node/kubelet-api/generated/podresources-v1.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import { type NodeResources, nodeResources, type ResourceView } from './container-manager.ts';

/** The resource of the device plugin. */
export const GPU = 'example.com/gpu';

const NODE = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };

/** A container `app` with these resources. */
export const appOf = (resources: Container['resources']): Container => ({ name: 'app', image: 'busybox', resources });

/** The status of a pod whose containers are ready. */
export const statusOf = (pod: Pod): PodStatus => ({
  containerStatuses: (pod.spec.containers ?? []).map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    ready: true,
    restartCount: 0,
    state: {},
    lastState: {},
  })),
});

/**
 * The resources of node n1 in a separate folder: four CPUs on two NUMA nodes, an in-memory runtime, and an API server that has the node.
 */
export class ResourceFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'nr-'));
  readonly devicePlugins = join(this.root, 'device-plugins');
  readonly runtime: FakeRuntimeService;
  /** A client with administrator permissions. */
  readonly client: Clientset;
  /** All pods of the node. Each is active. */
  readonly pods: Pod[] = [];
  /** UIDs of pods whose devices changed their health. */
  readonly synced: string[] = [];
  readonly faults: string[] = [];
  capacityChanges = 0;
  areSourcesReady = true;
  /** Cleanup functions of a test, which run in reverse order. */
  readonly ends: (() => Promise<void>)[] = [];
  readonly #world: World;

  private constructor(world: World) {
    this.#world = world;
    this.client = clientset(world.user);
    this.runtime = new FakeRuntimeService(world.clock);
  }

  static async of(): Promise<ResourceFixture> {
    const world = new World({ tokens: new Map([['node', NODE]]) });
    await aNamespace(world, 'default');
    return new ResourceFixture(world);
  }

  async close(): Promise<void> {
    for (const end of this.ends.toReversed()) await end();
    await this.#world.close();
    rmSync(this.root, { recursive: true });
  }

  /** Creates the manager of resources. A second call simulates a restarted agent. */
  made(settings: JsonObject = {}): Promise<NodeResources> {
    const context = {
      configuration: readKubeletConfiguration([settings]).configuration,
      rootDir: this.root,
      client: clientset(this.#world.newClient('kubelet', 'node')),
      options: { node: 'n1' },
      services: { runtime: this.runtime.connect().runtime },
      log: {
        info: () => undefined,
        debug: () => undefined,
        fault: (what: string) => (error: unknown) => void this.faults.push(`${what}: ${messageOfError(error)}`),
      },
    };
    return nodeResources(context, new Map([['cpu', '1']]), this.#view(), {
      devicePlugins: this.devicePlugins,
      topology: { machineTopology: async () => machineOf({ numa: 2, sockets: 2, cores: 2, threads: 1, caches: 0 }) },
      cdiSpecs: new HostCDISpecs([join(this.root, 'cdi')]),
    });
  }

  #view(): ResourceView {
    return {
      activePods: () => this.pods,
      pods: () => this.pods,
      podStatus: () => undefined,
      areSourcesReady: () => this.areSourcesReady,
      isPodKnownTerminated: () => false,
      isPodTerminationRequested: () => false,
      syncPods: (uids) => void this.synced.push(...uids),
      capacityChanged: () => void this.capacityChanges++,
    };
  }

  /** Starts the manager of resources. The second value stops it in the same way as the end of the agent. */
  async started(settings: JsonObject = {}): Promise<[NodeResources, () => Promise<void>]> {
    const resources = await this.made(settings);
    const ending = new AbortController();
    await resources.start(ending.signal);
    const running = resources.run(ending.signal);
    const end = async (): Promise<void> => {
      ending.abort();
      await running;
    };
    this.ends.push(end);
    return [resources, end];
  }

  /** Starts a device plugin and registers it. */
  async aPlugin(devices: readonly Device[]): Promise<SocketPlugin> {
    const plugin = new SocketPlugin(this.devicePlugins, 'gpu.sock', devices);
    await plugin.start();
    this.ends.push(() => plugin.stop());
    await plugin.register(GPU);
    return plugin;
  }

  /** Resolves once the plugin's devices are known. */
  hasDevices({ manager }: NodeResources, count: number): Promise<void> {
    return eventually(() => manager.devicePluginResources().allocatable[GPU] === count);
  }

  /** Adds a pod to the node. It counts as active while it is admitted. */
  podOf(name: string, app: Container): Pod {
    const pod = aPod(name, { spec: { containers: [app] } });
    this.pods.push(pod);
    return pod;
  }

  /** Returns the pod resources that a monitoring agent reads. */
  async podResources(): Promise<PodResources[]> {
    using channel = dialSocket(join(this.root, 'pod-resources/kubelet.sock'));
    return (await channel.client(PodResourcesListerDefinition).list({})).podResources;
  }
}

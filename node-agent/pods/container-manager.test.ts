import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialSocket } from '#adapters/grpc/client.ts';
import { SocketPlugin } from '#adapters/grpc/deviceplugin/testing.ts';
import { serveSocket, service, type SocketServer } from '#adapters/grpc/server.ts';
import { HostCDISpecs } from '#adapters/host/cdi-specs.ts';
import type { Container, Pod, PodStatus, ResourceHealth } from '#lib/api/types/core.v1.ts';
import { NODES, PODS, RESOURCE_CLAIMS, RESOURCE_SLICES } from '#lib/api/types/resources.ts';
import { clientset, type Clientset } from '#lib/client/clientset.ts';
import { ContainerConfig } from '#lib/cri-api/generated/runtime-v1.ts';
import type { Device } from '#lib/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { DRAResourceHealthDefinition, HealthStatus } from '#lib/kubelet-api/generated/dra-health-v1alpha1.ts';
import { DRAPluginDefinition } from '#lib/kubelet-api/generated/dra-v1.ts';
import { RegistrationDefinition } from '#lib/kubelet-api/generated/pluginregistration-v1.ts';
import { PodResourcesListerDefinition, type PodResources } from '#lib/kubelet-api/generated/podresources-v1.ts';
import { readKubeletConfiguration } from '#lib/kubelet/apis/config/configuration.ts';
import { machineOf } from '#lib/kubelet/cm/cpumanager/testing.ts';
import { aDevice } from '#lib/kubelet/cm/devicemanager/testing.ts';
import { FakeRuntimeService } from '#lib/kubelet/testing/fake-runtime-service.ts';
import { aPod } from '#lib/kubelet/testing/pods.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { aNamespace } from '#test/controllers/here.ts';
import { World } from '#test/controllers/world.ts';
import { until } from '#test/until.ts';
import { nodeResources, type NodeResources } from './container-manager.ts';

const GPU = 'example.com/gpu';
const DRIVER = 'gpu.example.com';
const RESERVED = new Map([['cpu', '1']]);

let world: World;
let client: Clientset;
let root: string;
let runtime: FakeRuntimeService;
let pods: Pod[];
let statuses: Map<string, PodStatus>;
let synced: string[];
let capacityChanges: number;
let faults: string[];
/** Ends what a test has started, the last first. */
let ends: (() => Promise<void>)[];

beforeEach(async () => {
  const node = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
  world = new World({ tokens: new Map([['node', node]]) });
  client = clientset(world.user);
  await aNamespace(world, 'default');
  root = mkdtempSync(join(tmpdir(), 'nr-'));
  runtime = new FakeRuntimeService(world.clock);
  [pods, statuses, synced, capacityChanges, faults, ends] = [[], new Map(), [], 0, [], []];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  await world.close();
  rmSync(root, { recursive: true });
});

const pluginFolder = (): string => join(root, 'device-plugins');

/** Makes the manager of resources; a second one is that of a restart. */
const made = (settings: JsonObject = {}): Promise<NodeResources> =>
  nodeResources(
    {
      configuration: readKubeletConfiguration([settings]).configuration,
      rootDir: root,
      client: clientset(world.newClient('kubelet', 'node')),
      options: { node: 'n1' },
      services: { runtime: runtime.connect().runtime },
      log: {
        info: () => undefined,
        debug: () => undefined,
        fault: (what) => (error) => void faults.push(`${what}: ${messageOfError(error)}`),
      },
    },
    RESERVED,
    {
      activePods: () => pods,
      pods: () => pods,
      podStatus: (uid) => statuses.get(uid),
      areSourcesReady: () => true,
      isPodKnownTerminated: () => false,
      isPodTerminationRequested: () => false,
      syncPods: (uids) => void synced.push(...uids),
      capacityChanged: () => void capacityChanges++,
    },
    {
      devicePlugins: pluginFolder(),
      topology: { machineTopology: async () => machineOf({ numa: 2, sockets: 2, cores: 2, threads: 1, caches: 0 }) },
      cdiSpecs: new HostCDISpecs([join(root, 'cdi')]),
    },
  );

/** Starts the manager of resources. The second value ends it as the agent's end does. */
async function started(settings: JsonObject = {}): Promise<[NodeResources, () => Promise<void>]> {
  const resources = await made(settings);
  const ending = new AbortController();
  await resources.start(ending.signal);
  const running = resources.run(ending.signal);
  const end = async (): Promise<void> => {
    ending.abort();
    await running;
  };
  ends.push(end);
  return [resources, end];
}

async function aPlugin(devices: readonly Device[]): Promise<SocketPlugin> {
  const plugin = new SocketPlugin(pluginFolder(), 'gpu.sock', devices);
  await plugin.start();
  ends.push(() => plugin.stop());
  await plugin.register(GPU);
  return plugin;
}

const hasDevices = async ({ manager }: NodeResources, count: number): Promise<void> =>
  until(() => manager.devicePluginResources().allocatable[GPU] === count);

const appOf = (resources: Container['resources']): Container => ({ name: 'app', image: 'busybox', resources });
const gpuApp = appOf({ limits: { [GPU]: '1' }, requests: { [GPU]: '1' } });

/** A pod that the node gets: it is one of the active ones while it is admitted. */
function podOf(name: string, app: Container, spec: Partial<Pod['spec']> = {}): Pod {
  const pod = aPod(name, { spec: { containers: [app], ...spec } });
  pods.push(pod);
  return pod;
}

async function podResources(): Promise<PodResources[]> {
  using channel = dialSocket(join(root, 'pod-resources/kubelet.sock'));
  return (await channel.client(PodResourcesListerDefinition).list({})).podResources;
}

const runningStatus = (pod: Pod): PodStatus => ({
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

describe('devices of a plugin', () => {
  test('are given to a pod, and monitoring agents are told', async () => {
    const [resources] = await started();
    await aPlugin([aDevice('a', 1)]);
    await hasDevices(resources, 1);
    expect(capacityChanges).toBeGreaterThan(0);
    const pod = podOf('p', gpuApp);
    expect(await resources.manager.admitHandler.admit(pod, [])).toEqual({ admit: true });
    expect((await resources.manager.resources(pod, gpuApp)).envs).toEqual([{ name: 'DEVICES', value: 'a' }]);
    const devices = [{ resourceName: GPU, deviceIds: ['a'], topology: { nodes: [{ ID: 1 }] } }];
    const app = { name: 'app', devices, cpuIds: [], memory: [], dynamicResources: [] };
    expect(await podResources()).toEqual([{ name: 'p', namespace: 'default', containers: [app] }]);
    const families = (await Promise.all(resources.metrics.map(async (one) => one.collect()))).flat();
    const { samples } = families.find(({ name }) => name === 'kubelet_device_plugin_registration_total') ?? {};
    expect(samples).toMatchObject([{ labels: { resource_name: GPU }, value: 1 }]);
  });

  test('are refused where none is left', async () => {
    const [resources] = await started();
    await aPlugin([aDevice('a')]);
    await hasDevices(resources, 1);
    const { manager } = resources;
    await manager.admitHandler.admit(podOf('p', gpuApp), []);
    expect(await manager.admitHandler.admit(podOf('q', gpuApp), [])).toMatchObject({
      admit: false,
      reason: 'UnexpectedAdmissionError',
    });
  });

  test('that become unhealthy show in the status of their pod', async () => {
    const [resources] = await started();
    const plugin = await aPlugin([aDevice('a')]);
    await hasDevices(resources, 1);
    const pod = podOf('p', gpuApp);
    await resources.manager.admitHandler.admit(pod, []);
    plugin.send([aDevice('a', undefined, 'Unhealthy')]);
    await until(() => synced.includes('uid-p'));
    const status = runningStatus(pod);
    resources.manager.updateAllocatedResourcesStatus(pod, status);
    expect(status.containerStatuses?.[0]?.allocatedResourcesStatus).toEqual([
      { name: GPU, resources: [{ resourceID: 'a', health: 'Unhealthy' }] },
    ]);
  });

  test('stay with their pod over a restart, though the plugin is away', async () => {
    const [first, end] = await started();
    const plugin = await aPlugin([aDevice('a')]);
    await hasDevices(first, 1);
    const pod = podOf('p', gpuApp);
    await first.manager.admitHandler.admit(pod, []);
    await end();
    await plugin.stop();
    const [second] = await started();
    expect((await podResources())[0]?.containers[0]?.devices).toEqual([
      { resourceName: GPU, deviceIds: ['a'], topology: undefined },
    ]);
    const node = await client.create(NODES, {
      metadata: { name: 'n1' },
      status: { allocatable: { [GPU]: '0', cpu: '2' } },
    });
    const seen = second.updatePluginResources(node, pod).status.allocatable;
    expect(seen).toEqual({ [GPU]: '1', cpu: '2' });
    expect(second.updatePluginResources(node, podOf('other', gpuApp))).toBe(node);
  });
});

describe('CPUs', () => {
  const settings = { cpuManagerPolicy: 'static', kubeReserved: { cpu: '1' } };
  const guaranteed = appOf({ limits: { cpu: '2', memory: '1Mi' }, requests: { cpu: '2', memory: '1Mi' } });

  test('of its own are set before a container is created, and told', async () => {
    const [resources] = await started(settings);
    const [pod, shared] = [podOf('p', guaranteed), podOf('s', appOf({}))];
    for (const one of [pod, shared]) await resources.manager.admitHandler.admit(one, []);
    const config = ContainerConfig.fromPartial({ linux: { resources: {} } });
    await resources.manager.preCreateContainer(pod, guaranteed, config);
    expect(config.linux?.resources?.cpusetCpus).toBe('2-3');
    expect([pod, shared].map((one) => resources.hasExclusiveCPUs(one))).toEqual([true, false]);
    expect(resources.hasExclusiveCPUs(pod, guaranteed)).toBe(true);
    expect((await podResources()).map(({ containers }) => containers[0]?.cpuIds)).toEqual([[2, 3], []]);
  });

  test('of another policy end the start', async () => {
    const [, end] = await started(settings);
    await end();
    const resources = await made();
    await expect(resources.start(new AbortController().signal)).rejects.toThrow(
      /^start cpu manager error: could not restore state from checkpoint: .*cpu_manager_state/,
    );
  });
});

test('a runtime without CDI gets the edits of a device in its place', async () => {
  const [{ manager }] = await started();
  await mkdir(join(root, 'cdi'));
  const spec = {
    cdiVersion: '0.6.0',
    kind: 'v.com/c',
    devices: [{ name: 'd', containerEdits: { env: ['CARD=d'] } }],
  };
  await writeFile(join(root, 'cdi/v.json'), JSON.stringify(spec));
  const config = ContainerConfig.fromPartial({ CDIDevices: [{ name: 'v.com/c=d' }] });
  await manager.preCreateContainer(podOf('p', appOf({})), appOf({}), config);
  expect(config.CDIDevices).toEqual([]);
  expect(config.envs.map(({ key, value }) => `${key}=${value.toString()}`)).toEqual(['CARD=d']);
});

test('a start that fails leaves no socket', async () => {
  await writeFile(join(root, 'pod-resources'), 'no folder');
  const resources = await made();
  await expect(resources.start(new AbortController().signal)).rejects.toThrow('EEXIST');
  expect(await readdir(pluginFolder())).toEqual([]);
});

test('the end of the agent takes its sockets away', async () => {
  const [, end] = await started();
  expect(await readdir(pluginFolder())).toEqual(['kubelet.sock']);
  await end();
  expect(await readdir(pluginFolder())).toEqual([]);
  expect(await readdir(join(root, 'pod-resources'))).toEqual([]);
});

describe('a DRA driver', () => {
  /** A driver at its socket in `plugins_registry`, whose only device has this health. */
  const aDriver = (
    file = 'a.sock',
    health: HealthStatus = HealthStatus.UNHEALTHY,
    message = 'hot',
  ): Promise<SocketServer> => {
    const endpoint = join(root, 'plugins_registry', file);
    const device = { requestNames: ['r'], poolName: 'pool', deviceName: 'dev', cdiDeviceIds: ['v.com/c=d'] };
    const answered = <T>(claims: readonly { readonly uid: string }[], answer: T) => ({
      claims: Object.fromEntries(claims.map(({ uid }) => [uid, answer])),
    });
    return serveSocket(endpoint, [
      service(RegistrationDefinition, {
        getInfo: async () => ({ type: 'DRAPlugin', name: DRIVER, endpoint, supportedVersions: ['v1.DRAPlugin'] }),
        notifyRegistrationStatus: async () => ({}),
      }),
      service(DRAPluginDefinition, {
        nodePrepareResources: async ({ claims }) => answered(claims, { devices: [device], error: '' }),
        nodeUnprepareResources: async ({ claims }) => answered(claims, { error: '' }),
      }),
      service(DRAResourceHealthDefinition, {
        nodeWatchResources: async function* (_, signal) {
          const told = { poolName: 'pool', deviceName: 'dev' };
          yield { devices: [{ device: told, health, message }] };
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        },
      }),
    ]);
  };

  const prepared = (manager: NodeResources['manager'], pod: Pod): Promise<void> =>
    until(() =>
      manager.prepareDynamicResources(pod).then(
        () => true,
        () => false,
      ),
    );

  const healthOf = (manager: NodeResources['manager'], pod: Pod): ResourceHealth | undefined => {
    const status = runningStatus(pod);
    manager.updateAllocatedResourcesStatus(pod, status);
    return status.containerStatuses?.[0]?.allocatedResourcesStatus?.[0]?.resources?.[0];
  };

  /** A pod whose claim has the driver's device. */
  const aClaim = async (): Promise<Pod> => {
    const request = { name: 'r', exactly: { deviceClassName: 'gpu' } };
    const containers = [appOf({ claims: [{ name: 'gpu' }] })];
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'claim' }];
    const metadata = { name: 'p', namespace: 'default' };
    const pod = await client.create(PODS, { metadata, spec: { nodeName: 'n1', containers, resourceClaims } });
    pods.push(pod);
    const claim = await client.create(RESOURCE_CLAIMS, {
      metadata: { name: 'claim', namespace: 'default' },
      spec: { devices: { requests: [request] } },
    });
    const results = [{ request: 'r', driver: DRIVER, pool: 'pool', device: 'dev' }];
    const reservedFor = [{ resource: 'pods', name: 'p', uid: pod.metadata.uid ?? '' }];
    const ref = { resource: RESOURCE_CLAIMS, namespace: 'default', name: 'claim' };
    await client.update(ref, { ...claim, status: { allocation: { devices: { results } }, reservedFor } }, 'status');
    return pod;
  };

  test('prepares the claims of a pod, which agents and the status are told', async () => {
    const [{ manager }] = await started();
    const pod = await aClaim();
    await aDriver().then((driver) => ends.push(() => driver.close()));
    await prepared(manager, pod);
    const [app] = pod.spec.containers ?? [];
    expect(app && (await manager.resources(pod, app)).cdiDevices).toEqual(['v.com/c=d']);
    expect((await podResources())[0]?.containers[0]?.dynamicResources).toMatchObject([
      {
        claimName: 'claim',
        claimNamespace: 'default',
        claimResources: [
          { driverName: DRIVER, poolName: 'pool', deviceName: 'dev', cdiDevices: [{ name: 'v.com/c=d' }] },
        ],
      },
    ]);
    await until(() => healthOf(manager, pod)?.health === 'Unhealthy');
    expect(healthOf(manager, pod)).toEqual({ resourceID: 'v.com/c=d', health: 'Unhealthy', message: 'hot' });
    await manager.unprepareDynamicResources(pod);
    expect(await readFile(join(root, 'dra_manager_state'), 'utf8')).not.toContain('claim');
  });

  test('that is updated tells the health of devices by its newest plugin', async () => {
    const [{ manager }] = await started();
    const pod = await aClaim();
    const before = await aDriver('a.sock');
    ends.push(() => before.close());
    await prepared(manager, pod);
    await until(() => healthOf(manager, pod)?.message === 'hot');
    const update = await aDriver('b.sock', HealthStatus.HEALTHY, 'cooled');
    ends.push(() => update.close());
    await until(() => healthOf(manager, pod)?.message === 'cooled');
    expect(synced).toContain(pod.metadata.uid);
    await update.close();
    await until(() => healthOf(manager, pod)?.message === 'hot');
  });

  test('of an earlier life loses its ResourceSlices, those of other nodes stay', async () => {
    const slice = (name: string, nodeName: string): JsonObject => ({
      metadata: { name },
      spec: { driver: DRIVER, nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 }, devices: [] },
    });
    await client.create(RESOURCE_SLICES, slice('own', 'n1'));
    await client.create(RESOURCE_SLICES, slice('foreign', 'n2'));
    await started();
    const names = async (): Promise<unknown> =>
      (await client.list(RESOURCE_SLICES)).map(({ metadata }) => metadata.name);
    await until(async () => JSON.stringify(await names()) === '["foreign"]');
    expect(faults).toEqual([]);
  });
});

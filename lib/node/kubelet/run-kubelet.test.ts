import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import { PodStatusCache } from './container/cache.ts';
import { KubeletCore } from './kubelet-core.ts';
import { type KubeletRooms, podSources, RunKubelet, type RunKubeletOptions } from './run-kubelet.ts';
import { MemoryRuntime } from './testing/memory-runtime.ts';
import { memoryResources } from './testing/runtime-ports.ts';

const MANIFEST = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: nginx}]}\n';

let world: World;
let client: Clientset;
let ending: AbortController;
let running: Promise<void>;
let clock: ManualClock;
let runtime: MemoryRuntime;
let events: string[];
let manifests: string[];
let isRuntimeUp: boolean;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  await aNamespace(world, 'default');
  await client.create(NODES, { metadata: { name: 'n1' } });
  clock = new ManualClock(world.clock.now());
  runtime = new MemoryRuntime();
  events = [];
  manifests = [];
  isRuntimeUp = true;
  ending = new AbortController();
  running = kubelet().run(ending.signal);
});
afterEach(async () => {
  ending.abort();
  clock.advance(600_000);
  await world.close();
  await running;
});

const rooms = (): KubeletRooms => ({
  runtime,
  volumeManager: {
    waitForAttachAndMount: async () => undefined,
    waitForUnmount: async () => undefined,
    mountedVolumes: () => new Map(),
    hasPossiblyMountedVolumes: () => false,
    extraSupplementalGroups: () => [],
    volumesInUse: () => [],
    cleanupOrphans: async () => undefined,
  },
  probeManager: {
    addPod: () => undefined,
    stopLivenessAndStartup: () => undefined,
    removePod: () => undefined,
    cleanupPods: () => undefined,
    updatePodStatus: (_, status) => {
      for (const one of status.containerStatuses ?? []) one.ready = one.state.running !== undefined;
    },
    result: () => undefined,
  },
  cgroups: {
    ensureExists: async () => false,
    destroy: async () => undefined,
    cleanupOrphans: async () => undefined,
  },
  folders: { make: async () => undefined },
  objects: {
    registerPod: () => undefined,
    unregisterPod: () => undefined,
    secret: (_, name) => Promise.reject(new Error(name)),
  },
  admitHandlers: [],
  supportsRecursiveReadOnly: () => false,
  updateAllocatedResourcesStatus: () => undefined,
  unprepareDynamicResources: async () => undefined,
});

function kubelet(): RunKubelet {
  const options = kubeletOptions();
  const core = new KubeletCore({
    ...options,
    sources: podSources(options),
    allocated: memoryResources(),
    statuses: new PodStatusCache(),
    backOffPeriod: 10_000,
    syncer: () => made.syncer,
  });
  const made = new RunKubelet(options, core, rooms());
  return made;
}

const kubeletOptions = (): RunKubeletOptions => ({
  client,
  node: 'n1',
  clock,
  random: () => 0,
  recorder: { event: (_, type, reason, message) => void events.push(`${type} ${reason} ${message}`) },
  pods: listWatch({ handle: world.server.handle, token: world.server.loopbackToken, userAgent: 'kubelet' }, PODS, ''),
  files: {
    frequency: 20_000,
    manifests: async () => manifests.map((text, index) => ({ path: `${index}`, read: async () => Buffer.from(text) })),
  },
  runtimeStatus: async () => {
    if (!isRuntimeUp) throw new Error('connection refused');
    return {
      conditions: ['RuntimeReady', 'NetworkReady'].map((type) => ({ type, status: true, reason: '', message: '' })),
    };
  },
  runtimeName: 'containerd',
  nodeIPs: [],
  hostIPs: () => ['192.0.2.7'],
  syncFrequency: 60_000,
  report: () => undefined,
});

/** Advances time until the pod satisfies the condition. */
const podEventually = (name: string, holds: (pod: Pod | undefined) => boolean): Promise<void> =>
  eventually(async () => {
    clock.advance(500);
    return holds(await client.get({ resource: PODS, namespace: 'default', name }));
  });

test('runs a pod that is bound to the node, and removes it after its deletion', async () => {
  const containers = [{ name: 'app', image: 'busybox' }];
  await client.create(PODS, { metadata: { name: 'a', namespace: 'default' }, spec: { nodeName: 'n1', containers } });
  await podEventually('a', (pod) => pod?.status.phase === 'Running');
  await client.delete({ resource: PODS, namespace: 'default', name: 'a' });
  await podEventually('a', (pod) => pod === undefined);
  expect(runtime.calls).toContain('kill a 30');
});

test('runs a static pod, recreates its mirror, and removes the pod together with its file', async () => {
  manifests = [MANIFEST];
  await podEventually('web-n1', (pod) => pod?.status.phase === 'Running');
  const before = await client.get({ resource: PODS, namespace: 'default', name: 'web-n1' });
  await client.delete({ resource: PODS, namespace: 'default', name: 'web-n1' }, { gracePeriodSeconds: 0 });
  await podEventually('web-n1', (pod) => pod !== undefined && pod.metadata.uid !== before?.metadata.uid);
  expect(runtime.calls.filter((call) => call.startsWith('kill'))).toEqual([]);
  manifests = [];
  await podEventually('web-n1', (pod) => pod === undefined);
  expect(runtime.calls.some((call) => call.startsWith('kill web-n1'))).toBe(true);
});

test('keeps a pod pending while the runtime does not respond', async () => {
  isRuntimeUp = false;
  clock.advance(40_000);
  const containers = [{ name: 'app', image: 'busybox' }];
  await client.create(PODS, { metadata: { name: 'a', namespace: 'default' }, spec: { nodeName: 'n1', containers } });
  for (let turn = 0; turn < 20; turn++)
    await podEventually('a', (pod) => pod?.status.phase === 'Pending' && !runtime.calls.includes('sync a'));
  isRuntimeUp = true;
  await podEventually('a', (pod) => pod?.status.phase === 'Running');
});

test('records a failed garbage collection of containers as an event of the node', async () => {
  runtime.garbageCollect = () => Promise.reject(new Error('no runtime'));
  clock.advance(60_000);
  await eventually(() => events.includes('Warning ContainerGCFailed no runtime'));
});

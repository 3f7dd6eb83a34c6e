import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { settled } from '#test/support/settled.ts';
import { AllocationManager } from './allocation/allocation-manager.ts';
import { PodStatusCache } from './container/cache.ts';
import type { RuntimePodStatus } from './container/runtime.ts';
import { KubeletError } from './container/sync-result.ts';
import type { NodeEventRecorder } from './events/recorder.ts';
import { Kubelet } from './kubelet.ts';
import { KubeletCore } from './kubelet-core.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodAdmitHandler } from './lifecycle/pod-admit.ts';
import { MemoryRuntime } from './testing/memory-runtime.ts';
import { aPod } from './testing/pods.ts';
import { memoryResources } from './testing/runtime-ports.ts';
import { CONFIG_SEEN } from './types/pod-update.ts';
import { AttachLimitExceeded, type VolumeManager } from './volumemanager/volume-manager.ts';

let world: World;
let client: Clientset;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  await aNamespace(world, 'default');
});
afterEach(() => world.close());

/** The statuses of a runtime in memory, which are always current. */
class CurrentStatuses extends PodStatusCache {
  readonly #runtime: MemoryRuntime;

  constructor(runtime: MemoryRuntime) {
    super();
    this.#runtime = runtime;
  }

  override get(uid: string): RuntimePodStatus {
    return this.#runtime.status(uid);
  }

  override async newerThan(uid: string): Promise<RuntimePodStatus> {
    return this.#runtime.status(uid);
  }
}

type NodeOptions = Partial<KubeletPorts> & { readonly admitHandlers?: readonly PodAdmitHandler[] };

/** A kubelet with an API server and a runtime in memory. */
class Node {
  readonly runtime = new MemoryRuntime();
  readonly events: string[] = [];
  readonly steps: string[] = [];
  readonly clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly core: KubeletCore;
  readonly kubelet: Kubelet;
  sourcesReady = true;

  constructor({ admitHandlers = [], ...overrides }: NodeOptions = {}) {
    const note = (step: string): void => void this.steps.push(step);
    const recorder: NodeEventRecorder = {
      event: (_, type, reason, message) => void this.events.push(`${type} ${reason} ${message}`),
    };
    const report = (message: string, error: unknown): void => note(`${message}: ${String(error)}`);
    const { clock } = this;
    this.core = new KubeletCore({
      client,
      clock,
      random: () => 0,
      recorder,
      sources: ['api'],
      allocated: memoryResources(),
      statuses: new CurrentStatuses(this.runtime),
      syncFrequency: 60_000,
      backOffPeriod: 10_000,
      syncer: () => this.kubelet.syncer,
      report,
    });
    const { podManager, podWorkers, workQueue, statusManager, statuses, podMetrics, allocated } = this.core;
    this.kubelet = new Kubelet({
      clock,
      recorder,
      runtime: this.runtime,
      statuses,
      podWorkers,
      workQueue,
      requestRelist: (uid) => note(`relist ${uid}`),
      runtimeState: { runtimeErrors: () => [], networkErrors: () => [] },
      podManager,
      mirrorClient: {
        reconcile: async () => undefined,
        delete: async (mirror) => (note(`delete mirror ${mirror.metadata.name}`), true),
      },
      statusManager,
      volumeManager: {
        waitForAttachAndMount: async () => note('mount'),
        waitForUnmount: async () => note('unmount'),
        mountedVolumes: () => new Map(),
        hasPossiblyMountedVolumes: () => false,
        extraSupplementalGroups: () => [],
        volumesInUse: () => [],
        cleanupOrphans: async (uids) => note(`keep folders of ${[...uids].length}`),
      },
      probeManager: {
        addPod: () => note('probe'),
        stopLivenessAndStartup: () => undefined,
        removePod: () => note('stop probing'),
        cleanupPods: () => undefined,
        updatePodStatus: (_, status) => {
          for (const one of status.containerStatuses ?? []) one.ready = one.state.running !== undefined;
        },
        result: () => undefined,
      },
      cgroups: {
        ensureExists: async () => (note('cgroup'), false),
        destroy: async () => note('no cgroup'),
        cleanupOrphans: async () => undefined,
      },
      folders: { make: async () => note('folders') },
      objects: {
        registerPod: () => note('register'),
        unregisterPod: () => note('unregister'),
        secret: async (_, name) => Promise.reject(new Error(name)),
      },
      allocation: new AllocationManager({
        allocated,
        admitHandlers,
        conditions: statusManager.resizeConditions,
        recorder,
        clock,
        areSourcesReady: () => this.sourcesReady,
        activePods: () => this.core.activePods(),
        podByUid: (uid) => podManager.podByUid(uid),
        syncPod: (uid) => this.kubelet.syncPods([uid]),
        report,
      }),
      areSourcesReady: () => this.sourcesReady,
      podMetrics,
      runtimeName: 'containerd',
      supportsRecursiveReadOnly: () => false,
      nodeIPs: [],
      hostIPs: () => ['192.0.2.7'],
      updateAllocatedResourcesStatus: () => undefined,
      unprepareDynamicResources: async () => note('unprepare'),
      report,
      ...overrides,
    });
  }

  /** Creates a pod in the API and hands it to the kubelet. */
  async create(spec: Partial<Pod['spec']> = {}): Promise<Pod> {
    const containers = [{ name: 'app', image: 'busybox' }];
    const metadata = { name: 'a', namespace: 'default' };
    const pod = await client.create(PODS, { metadata, spec: { nodeName: 'n1', containers, ...spec } });
    await this.tell('ADD', pod);
    return pod;
  }

  async tell(op: 'ADD' | 'UPDATE' | 'DELETE' | 'REMOVE' | 'RECONCILE', pod: Pod): Promise<void> {
    await this.kubelet.handle({ op, source: 'api', pods: [pod] });
    await settled();
    await this.core.statusManager.syncBatch(false);
  }
}

const REF = { resource: PODS, namespace: 'default', name: 'a' };
const stored = (): Promise<Pod | undefined> => client.get(REF);

test('measures how long a pod takes to start and its worker to sync it', async () => {
  const node = new Node();
  const pod = await node.create();
  const seen = { [CONFIG_SEEN]: '2026-01-01T00:00:00Z' };
  const told = { ...pod, metadata: { ...pod.metadata, annotations: seen } };
  node.clock.advance(7000);
  for (let update = 0; update < 2; update++) await node.tell('UPDATE', told);
  expect((await expose([node.core.podMetrics])).split('\n')).toEqual(
    expect.arrayContaining([
      'kubelet_pod_start_duration_seconds_sum 7',
      'kubelet_pod_start_duration_seconds_count 1',
      'kubelet_pod_worker_duration_seconds_count{operation_type="create"} 1',
      'kubelet_pod_worker_duration_seconds_count{operation_type="update"} 2',
    ]),
  );
});

test('counts the first sync of a pod as its start, like upstream', async () => {
  const pod = await new Node().create();
  const node = new Node();
  node.clock.advance(7000);
  const seen = { [CONFIG_SEEN]: '2026-01-01T00:00:00Z' };
  await node.tell('ADD', { ...pod, metadata: { ...pod.metadata, annotations: seen } });
  expect(await expose([node.core.podMetrics])).toContain('kubelet_pod_start_duration_seconds_sum 7\n');
});

test('sets a pod up in upstream’s order and writes its status', async () => {
  const node = new Node();
  const pod = await node.create();
  expect(node.steps).toEqual(['register', 'cgroup', 'folders', 'mount', 'probe', `relist ${pod.metadata.uid}`]);
  node.kubelet.handleLifecycleEvent({ uid: pod.metadata.uid ?? '', type: 'ContainerStarted' });
  await settled();
  await node.core.statusManager.syncBatch(false);
  expect((await stored())?.status).toMatchObject({ phase: 'Running', podIP: '10.0.0.2', hostIP: '192.0.2.7' });
});

test('fails and cleans up a pod if its node has too many volumes', async () => {
  const volumeManager: VolumeManager = {
    waitForAttachAndMount: async () => Promise.reject(new AttachLimitExceeded('unmounted volumes=[data]')),
    waitForUnmount: async () => undefined,
    mountedVolumes: () => new Map(),
    hasPossiblyMountedVolumes: () => false,
    extraSupplementalGroups: () => [],
    volumesInUse: () => [],
    cleanupOrphans: async () => undefined,
  };
  const node = new Node({ volumeManager });
  await node.create();
  await settled();
  await node.core.statusManager.syncBatch(false);
  const message = 'Node has reached its volume attachment limit, rejecting pod. unmounted volumes=[data]';
  expect(node.events).toEqual([`Warning VolumeAttachmentLimitExceeded ${message}`]);
  expect((await stored())?.status).toMatchObject({
    phase: 'Failed',
    reason: 'VolumeAttachmentLimitExceeded',
    message: `Pod was rejected: ${message}`,
  });
  expect(node.steps).toContain('no cgroup');
});

test('stops a deleted pod with its grace period, cleans it up and removes it from the API', async () => {
  const node = new Node();
  await node.create({ terminationGracePeriodSeconds: 7 });
  await client.delete(REF);
  node.steps.length = 0;
  const deleted = await stored();
  if (deleted === undefined) throw new Error('the pod went without its end');
  await node.tell('DELETE', deleted);
  expect(node.runtime.calls).toEqual(['sync a', 'kill a 7']);
  expect(node.steps).toEqual(['stop probing', 'unprepare', 'unmount', 'unregister', 'no cgroup']);
  expect(await stored()).toBeUndefined();
});

test('reports the exit of a pod that terminates by itself', async () => {
  const node = new Node();
  const pod = await node.create({ restartPolicy: 'Never' });
  const uid = pod.metadata.uid ?? '';
  node.runtime.end(uid, 3);
  node.kubelet.handleLifecycleEvent({ uid, type: 'ContainerDied', containerID: `${uid}-app` });
  await settled();
  await node.core.statusManager.syncBatch(false);
  const status = (await stored())?.status;
  expect(status?.phase).toBe('Failed');
  expect(status?.containerStatuses?.[0]?.state.terminated?.exitCode).toBe(3);
});

test('fails a rejected pod with the reason, never runs it, and removes it after its deletion', async () => {
  const refusal = { admit: false, reason: 'OutOfcpu', message: 'Node didn’t have enough resource: cpu' } as const;
  const node = new Node({ admitHandlers: [{ admit: async () => refusal }] });
  await node.kubelet.housekeep();
  await node.create();
  expect(node.runtime.calls).toEqual([]);
  expect(node.events).toEqual([`Warning OutOfcpu ${refusal.message}`]);
  expect((await stored())?.status).toMatchObject({
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: `Pod was rejected: ${refusal.message}`,
  });
  await client.patch(REF, { metadata: { finalizers: ['example.com/f'] } });
  await client.delete(REF);
  const deleted = await stored();
  if (deleted === undefined) throw new Error('the pod went without its end');
  await node.tell('DELETE', deleted);
  expect(node.core.podWorkers.shouldPodBeFinished(deleted.metadata.uid ?? '')).toBe(true);
});

test('rejects only the pod whose check throws', async () => {
  const node = new Node({ admitHandlers: [{ admit: () => Promise.reject(new Error('no answer')) }] });
  await node.kubelet.housekeep();
  await node.create();
  expect((await stored())?.status).toMatchObject({ phase: 'Failed', reason: 'UnexpectedAdmissionError' });
});

test("runs only pods on the host's network if the network is not ready", async () => {
  const runtimeState = { runtimeErrors: () => [], networkErrors: () => ['no CNI'] };
  const node = new Node({ runtimeState });
  await node.create();
  expect(node.events).toEqual(['Warning NetworkNotReady network is not ready: no CNI']);
  expect(node.runtime.calls).toEqual([]);
  expect((await stored())?.status.phase).toBe('Pending');
  await client.delete(REF, { gracePeriodSeconds: 0 });
  const other = new Node({ runtimeState });
  await other.create({ hostNetwork: true });
  expect(other.runtime.calls).toEqual(['sync a']);
});

test('stops and fails a pod past its deadline', async () => {
  const node = new Node();
  await node.create({ activeDeadlineSeconds: 30 });
  node.clock.advance(31_000);
  node.kubelet.syncDuePods();
  await settled();
  await node.core.statusManager.syncBatch(false);
  expect((await stored())?.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  expect(node.runtime.calls).toContain('kill a undefined');
});

test('reports a missing pull secret and runs the pod', async () => {
  const node = new Node();
  await node.create({ imagePullSecrets: [{ name: 'one' }, {}, { name: 'two' }] });
  expect(node.events).toEqual([
    'Warning FailedToRetrieveImagePullSecret Unable to retrieve some image pull secrets (one, two); attempting to pull the image may not succeed.',
  ]);
  expect(node.runtime.calls).toEqual(['sync a']);
});

test('reports why a waiting container cannot start', async () => {
  const node = new Node();
  const error = new KubeletError('ErrImagePull', 'no such image');
  node.runtime.failure = { results: [{ action: 'StartContainer', target: 'app', error }] };
  const pod = await node.create();
  node.kubelet.syncPods([pod.metadata.uid ?? '']);
  await settled();
  await node.core.statusManager.syncBatch(false);
  expect((await stored())?.status.containerStatuses?.[0]?.state.waiting).toEqual({
    reason: 'ErrImagePull',
    message: 'no such image',
  });
  expect(node.steps.at(-1)).toContain('failed to "StartContainer" for "app" with ErrImagePull: "no such image"');
});

test('stops a pod that only the runtime has, once all sources are ready', async () => {
  const node = new Node();
  node.runtime.add(aPod('b'));
  node.sourcesReady = false;
  await node.kubelet.housekeep();
  await settled();
  expect(node.runtime.calls).toEqual([]);
  node.sourcesReady = true;
  await node.kubelet.housekeep();
  await settled();
  expect(node.runtime.calls).toEqual(['kill b 1']);
});

test('stops and forgets a pod that is removed without a deletion', async () => {
  const node = new Node();
  const pod = await node.create();
  await node.tell('REMOVE', pod);
  expect(node.runtime.calls.at(-1)).toBe('kill a 30');
  await node.kubelet.housekeep();
  expect(node.core.statusManager.podStatus(pod.metadata.uid ?? '')).toBeUndefined();
});

test('keeps the cgroup of a static pod that is added again with the same uid', async () => {
  const kept: string[][] = [];
  const cgroups = {
    ensureExists: async () => false,
    destroy: async () => undefined,
    cleanupOrphans: async (uids: ReadonlySet<string>) => void kept.push([...uids]),
  };
  const node = new Node({ cgroups });
  const pod = aPod('s', { metadata: { annotations: { 'kubernetes.io/config.source': 'file' } } });
  for (const op of ['ADD', 'REMOVE', 'ADD'] as const) await node.tell(op, pod);
  await node.kubelet.housekeep();
  await settled();
  expect(node.runtime.calls).toEqual(['sync s', 'kill s 1', 'sync s']);
  expect(kept).toEqual([[pod.metadata.uid]]);
});

test('deletes the dead containers of an evicted pod', async () => {
  const node = new Node();
  const pod = await node.create();
  const uid = pod.metadata.uid ?? '';
  node.runtime.end(uid, 137);
  await node.tell('RECONCILE', { ...pod, status: { ...pod.status, phase: 'Failed', reason: 'Evicted' } });
  expect(node.runtime.calls).toContain(`delete ${uid}-app`);
});

test('deletes a mirror pod without a static pod', async () => {
  const node = new Node();
  const mirror = aPod('m', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' } } });
  await node.tell('ADD', mirror);
  expect(node.runtime.calls).toEqual([]);
  await node.kubelet.housekeep();
  expect(node.steps).toContain('delete mirror m');
});

test('takes over running pods after a restart and cleans up terminated ones', async () => {
  const before = new Node();
  const pod = await before.create();
  const node = new Node();
  node.runtime.add(pod);
  await node.tell('ADD', pod);
  expect(node.runtime.calls).toEqual(['sync a']);
  expect((await stored())?.status.phase).toBe('Running');
  const ended = new Node();
  await ended.tell('ADD', { ...pod, status: { ...pod.status, phase: 'Succeeded' } });
  expect(ended.runtime.calls).toEqual([]);
  expect(ended.steps).toEqual(['unmount', 'unregister', 'no cgroup']);
});

test('records the start, an error and the completion of a resize', async () => {
  const node = new Node();
  const resized = (cpu: string, generation: number): Pod => {
    const containers = [{ name: 'app', image: 'busybox', resources: { requests: { cpu } } }];
    return aPod('a', { metadata: { generation }, spec: { containers } });
  };
  const conditions = () =>
    (node.core.statusManager.podStatus('uid-a')?.conditions ?? []).flatMap(
      ({ type, reason = '', observedGeneration }) =>
        type.startsWith('PodResize') ? [`${type} ${reason} ${observedGeneration}`] : [],
    );
  await node.kubelet.handle({ op: 'ADD', pods: [resized('1', 1)], source: 'api' });
  await settled();
  node.runtime.isResizing = true;
  const error = new KubeletError('ResizePodInPlaceError', 'too much memory in use');
  node.runtime.failure = { results: [{ action: 'ResizePodInPlace', target: 'a', error }] };
  await node.kubelet.handle({ op: 'UPDATE', pods: [resized('2', 2)], source: 'api' });
  await settled();
  expect(conditions()).toEqual(['PodResizeInProgress Error 2']);
  node.runtime.isResizing = false;
  node.runtime.failure = undefined;
  node.kubelet.syncPods(['uid-a']);
  await settled();
  expect(conditions()).toEqual([]);
  const summary = '"containers":[{"name":"app","resources":{"requests":{"cpu":"2"}}}],"generation":2';
  expect(node.events).toEqual([
    `Normal ResizeStarted Pod resize started: {${summary}}`,
    `Warning ResizeError Pod resize error: {${summary},"error":"too much memory in use"}`,
    `Normal ResizeCompleted Pod resize completed: {${summary}}`,
  ]);
});

test('does not complete a resize in a sync that began before the resize was allocated', async () => {
  const node = new Node();
  const pod = aPod('a', { metadata: { generation: 1 } });
  await node.kubelet.handle({ op: 'ADD', pods: [pod], source: 'api' });
  node.core.statusManager.resizeConditions.setInProgress('uid-a', { generation: 2 });
  await settled();
  expect(node.core.statusManager.resizeConditions.inProgress('uid-a')).toBeDefined();
  expect(node.events).toEqual([]);
});

test('allocates a pending resize when another pod terminates or is removed', async () => {
  const cpuOf = ({ spec }: Pod): number => Number(spec.containers?.[0]?.resources.requests?.['cpu']);
  const twoCPUs: PodAdmitHandler = {
    admit: async (pod, others) =>
      others.reduce((sum, one) => sum + cpuOf(one), cpuOf(pod)) <= 2
        ? { admit: true }
        : { admit: false, reason: 'OutOfcpu', message: 'no room' },
  };
  const asking = (name: string, cpu: string, phase = 'Pending'): Pod =>
    aPod(name, {
      spec: { containers: [{ name: 'app', image: 'busybox', resources: { requests: { cpu } } }] },
      status: { phase },
    });
  for (const op of ['RECONCILE', 'REMOVE'] as const) {
    const node = new Node({ admitHandlers: [twoCPUs] });
    await node.kubelet.handle({ op: 'ADD', pods: [asking('a', '1'), asking('b', '1')], source: 'api' });
    await node.kubelet.handle({ op: 'UPDATE', pods: [asking('a', '2')], source: 'api' });
    expect(node.core.statusManager.resizeConditions.isDeferred('uid-a')).toBe(true);
    await node.kubelet.handle({
      op,
      pods: [asking('b', '1', op === 'RECONCILE' ? 'Succeeded' : 'Pending')],
      source: 'api',
    });
    expect(node.core.statusManager.resizeConditions.isDeferred('uid-a')).toBe(false);
    await node.kubelet.handle({ op: 'UPDATE', pods: [asking('a', '3')], source: 'api' });
    await node.kubelet.handle({ op: 'UPDATE', pods: [asking('a', '2')], source: 'api' });
    expect(node.core.statusManager.resizeConditions.pending('uid-a')).toBeUndefined();
  }
});

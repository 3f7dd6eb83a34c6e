import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { forbidden, notFound } from '#lib/machinery/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { PodManager } from '../pod/pod-manager.ts';
import { StepClock } from '../testing/step-clock.ts';
import { setSandboxReady } from './sandbox-ready.ts';
import { needToReconcilePodReadiness, StatusManager } from './status-manager.ts';

const REF = { resource: PODS, namespace: 'default', name: 'a' };
let world: World;
let client: Clientset;
let podManager: PodManager;
let faults: unknown[];
let running: boolean;
let clock: ManualClock;
let manager: StatusManager;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  await aNamespace(world, 'default');
  podManager = new PodManager();
  faults = [];
  running = false;
  clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  manager = new StatusManager({
    client,
    podManager,
    clock,
    couldHaveRunningContainers: () => running,
    onFault: (error) => void faults.push(error),
  });
});
afterEach(() => world.close());

/** Creates a pod in the API and adds it to the pod manager. */
async function bound(spec: Partial<Pod['spec']> = {}): Promise<Pod> {
  const containers = [{ name: 'app', image: 'busybox' }];
  const metadata = { name: 'a', namespace: 'default' };
  const pod = await client.create(PODS, { metadata, spec: { nodeName: 'n1', containers, ...spec } });
  podManager.updatePod(pod);
  return pod;
}

async function stored(): Promise<Pod> {
  const pod = await client.get(REF);
  if (pod === undefined) throw new Error('the pod is gone');
  return pod;
}

const ready = (status: 'True' | 'False') => ({ type: 'Ready', status, lastProbeTime: null, lastTransitionTime: null });
const runningStatus = (more: Partial<PodStatus> = {}): PodStatus => ({
  phase: 'Running',
  conditions: [ready('True')],
  containerStatuses: [
    {
      name: 'app',
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      lastState: {},
      ready: true,
      restartCount: 0,
      image: 'busybox',
      imageID: '',
      containerID: 'containerd://c1',
    },
  ],
  qosClass: 'BestEffort',
  ...more,
});

test('writes a status with its generation, start time and transition times', async () => {
  const pod = await bound();
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  expect((await stored()).status).toMatchObject({
    phase: 'Running',
    observedGeneration: 1,
    startTime: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  expect(faults).toEqual([]);
});

test('keeps the transition time of a condition while its status is unchanged', async () => {
  const pod = await bound();
  manager.setPodStatus(pod, runningStatus());
  clock.advance(60_000);
  manager.setPodStatus(pod, runningStatus({ message: 'changed' }));
  expect(manager.podStatus(pod.metadata.uid ?? '')?.conditions?.[0]?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
  manager.setPodStatus(pod, runningStatus({ conditions: [ready('False')] }));
  expect(manager.podStatus(pod.metadata.uid ?? '')?.conditions?.[0]?.lastTransitionTime).toBe('2026-01-01T00:01:00Z');
});

test('writes an unchanged status once', async () => {
  const pod = await bound();
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  const { resourceVersion } = (await stored()).metadata;
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  podManager.updatePod(await stored());
  await manager.syncBatch(true);
  expect((await stored()).metadata.resourceVersion).toBe(resourceVersion);
});

test('keeps conditions of other writers', async () => {
  const pod = await bound();
  const gate = { type: 'example.com/gate', status: 'True', lastProbeTime: null, lastTransitionTime: null };
  await client.patch(REF, { status: { conditions: [gate] } }, 'status');
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  expect((await stored()).status.conditions?.map(({ type }) => type)).toEqual(['example.com/gate', 'Ready']);
});

test('rewrites a status within ten seconds that another writer changed', async () => {
  const pod = await bound();
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  await client.patch(REF, { status: { phase: 'Pending' } }, 'status');
  podManager.updatePod(await stored());
  await manager.syncBatch(false);
  expect((await stored()).status.phase).toBe('Pending');
  await manager.syncBatch(true);
  expect((await stored()).status.phase).toBe('Running');
});

test('reports a pod as terminated only after no container runs', async () => {
  const pod = await bound();
  running = true;
  manager.setPodStatus(pod, runningStatus({ phase: 'Failed', reason: 'Evicted' }));
  await manager.syncBatch(false);
  expect((await stored()).status).toMatchObject({ phase: 'Pending' });
  running = false;
  podManager.updatePod(await stored());
  await manager.syncBatch(true);
  const { status } = await stored();
  expect(status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  expect(status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
    status: 'False',
    reason: 'PodFailed',
  });
});

test('deletes a deleted pod from the API after it is cleaned up', async () => {
  const pod = await bound();
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  await client.delete(REF, {});
  const deleted = await stored();
  podManager.updatePod(deleted);
  manager.setPodStatus(deleted, runningStatus());
  await manager.syncBatch(false);
  expect((await stored()).metadata.deletionTimestamp).toBeDefined();
  manager.terminatePod(deleted);
  await manager.syncBatch(false);
  expect(await client.get(REF)).toBeUndefined();
  expect(faults).toEqual([]);
});

test('drops the status of a pod that another one with the same name replaced', async () => {
  const pod = await bound();
  await client.delete(REF, { gracePeriodSeconds: 0 });
  await client.create(PODS, { metadata: { name: 'a', namespace: 'default' }, spec: pod.spec });
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  expect((await stored()).status.phase).toBe('Pending');
  expect(manager.podStatus(pod.metadata.uid ?? '')).toBeUndefined();
});

test('keeps a status until the API is available, then writes it', async () => {
  const pod = await bound();
  await client.delete(REF, { gracePeriodSeconds: 0 });
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  expect(manager.podStatus(pod.metadata.uid ?? '')?.phase).toBe('Running');
});

test.each([
  forbidden({ resource: 'pods', group: '' }, 'a', 'the node may not'),
  notFound({ resource: 'pods', group: '' }, 'a'),
])('retries a rejected status with the comparison every ten seconds: %s', async (refusal) => {
  const pod = await bound();
  const attempts: string[] = [];
  const refuse = async (): Promise<never> => {
    attempts.push('patch');
    throw refusal;
  };
  const ending = new AbortController();
  const steps = new StepClock((count) => (count === 3 ? ending.abort() : undefined));
  const refused = new StatusManager({
    client: { ...world.user, get: (ref) => world.user.get(ref), patch: refuse },
    podManager,
    clock: steps,
    couldHaveRunningContainers: () => false,
    onFault: (error) => void faults.push(error),
  });
  refused.setPodStatus(pod, runningStatus());
  await refused.run(ending.signal);
  expect(steps.sleeps).toEqual([10_000, 10_000, 10_000]);
  expect(faults).toEqual([refusal, refusal, refusal]);
  expect(attempts.length).toBe(3);
});

test('makes a pod ready when its container becomes ready', async () => {
  const pod = await bound();
  const status = runningStatus({ conditions: [ready('False')] });
  for (const container of status.containerStatuses ?? []) container.ready = false;
  manager.setPodStatus(pod, status);
  manager.setContainerReadiness(pod.metadata.uid ?? '', 'containerd://c1', true);
  expect(manager.podStatus(pod.metadata.uid ?? '')?.conditions).toMatchObject([
    { type: 'Ready', status: 'True' },
    { type: 'ContainersReady', status: 'True' },
  ]);
});

test('rejects a transition of a permanently terminated container', async () => {
  const pod = await bound({ restartPolicy: 'Never' });
  const ended = { terminated: { exitCode: 0, startedAt: null, finishedAt: null } };
  const status = runningStatus();
  manager.setPodStatus(pod, {
    ...status,
    containerStatuses: (status.containerStatuses ?? []).map((one) => ({ ...one, state: ended })),
  });
  manager.setPodStatus(pod, status);
  expect(manager.podStatus(pod.metadata.uid ?? '')?.containerStatuses?.[0]?.state).toEqual(ended);
  expect(String(faults[0])).toContain('attempted illegal transition');
});

test('terminates each container in the last status of a pod', async () => {
  const pod = await bound();
  manager.setPodStatus(pod, runningStatus());
  manager.terminatePod(pod);
  const status = manager.podStatus(pod.metadata.uid ?? '');
  expect(status?.phase).toBe('Failed');
  expect(status?.containerStatuses?.[0]?.state.terminated).toMatchObject({
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
  });
});

test('writes the status of a static pod to its mirror', async () => {
  const mirror = await bound();
  podManager.removePod(mirror);
  const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'h' };
  const pod: Pod = { ...mirror, metadata: { ...mirror.metadata, uid: 'static', annotations } };
  podManager.updatePod(pod);
  manager.setPodStatus(pod, runningStatus());
  await manager.syncBatch(false);
  expect((await stored()).status.phase).toBe('Pending');
  const mirrored = { ...annotations, 'kubernetes.io/config.mirror': 'h' };
  podManager.updatePod({ ...mirror, metadata: { ...mirror.metadata, annotations: mirrored } });
  await manager.syncBatch(false);
  expect((await stored()).status.phase).toBe('Running');
});

test('detects a condition Ready that contradicts the readiness gates', async () => {
  const pod = await bound({ readinessGates: [{ conditionType: 'example.com/gate' }] });
  const { containerStatuses = [] } = runningStatus();
  expect(needToReconcilePodReadiness({ ...pod, status: { conditions: [ready('True')], containerStatuses } })).toBe(
    true,
  );
});

test('reports a ready sandbox before its containers start', async () => {
  const pod = await bound();
  const unready = { type: 'PodReadyToStartContainers', status: 'False', lastProbeTime: null } as const;
  manager.setPodStatus(pod, { phase: 'Pending', conditions: [{ ...unready, lastTransitionTime: null }] });
  clock.advance(5000);
  setSandboxReady(manager, pod);
  await manager.syncBatch(false);
  const { phase, conditions } = (await stored()).status;
  expect(phase).toBe('Pending');
  expect(conditions?.find(({ type }) => type === 'PodReadyToStartContainers')).toMatchObject({
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:05Z',
  });
});

import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import type { RunningPod } from '../container/runtime.ts';
import { aContainer, aPod, runtimeStatus } from '../testing/pods.ts';
import type { PodSyncer, SyncOutcome } from './pod-syncer.ts';
import { PodWorkers } from './pod-workers.ts';
import { SyncError } from './sync-error.ts';
import { WorkQueue } from './work-queue.ts';

const RUNNING: SyncOutcome = { isTerminal: false };

/** Workers whose syncs are recorded. `overrides` replace single steps. */
function workers(overrides: Partial<PodSyncer> = {}, running: readonly string[] = []) {
  const calls: string[] = [];
  const durations: string[] = [];
  const newerThan: number[] = [];
  const clock = new ManualClock();
  const workQueue = new WorkQueue(clock);
  const podWorkers = new PodWorkers({
    allocatedPod: (pod) => pod,
    syncer: () => ({
      syncPod: async ({ pod, updateType }) => {
        calls.push(`sync ${pod.metadata.name} ${updateType}`);
        return RUNNING;
      },
      syncTerminatingPod: async ({ pod, gracePeriod }) => void calls.push(`stop ${pod.metadata.name} ${gracePeriod}`),
      syncTerminatingRuntimePod: async ({ name }) => void calls.push(`stop runtime ${name}`),
      syncTerminatedPod: async (pod) => void calls.push(`clean ${pod.metadata.name}`),
      ...overrides,
    }),
    statuses: {
      get: (uid) => runtimeStatus(aPod(uid), running.includes(uid) ? [aContainer()] : []),
      newerThan: async (uid, time) => {
        newerThan.push(time);
        return runtimeStatus(aPod(uid));
      },
    },
    workQueue,
    clock,
    random: () => 0,
    resyncInterval: 60_000,
    backOffPeriod: 10_000,
    onError: (pod, error) => void calls.push(`error ${pod?.metadata.name}: ${String(error)}`),
    onUnknownStatus: () => undefined,
    worked: (type, milliseconds) => void durations.push(`${type} ${milliseconds}`),
  });
  return { calls, durations, newerThan, clock, podWorkers, workQueue };
}

const create = (pod: Pod) => ({ updateType: 'create', pod }) as const;
const aRunningPod = (name: string): RunningPod => ({
  uid: `uid-${name}`,
  name,
  namespace: 'default',
  createdAt: 0,
  containers: [],
  sandboxes: [],
});
const aStaticPod = (name: string, uid: string): Pod =>
  aPod(name, { metadata: { uid, annotations: { 'kubernetes.io/config.source': 'file' } } });

test('syncs a pod, stops it with its grace period and cleans it up', async () => {
  const { calls, podWorkers } = workers();
  const pod = aPod('a', { spec: { terminationGracePeriodSeconds: 30 } });
  podWorkers.updatePod(create(pod));
  await settled();
  const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 };
  podWorkers.updatePod({ updateType: 'update', pod: { ...pod, metadata: { ...pod.metadata, ...deletion } } });
  expect(podWorkers.isPodTerminationRequested('uid-a')).toBe(true);
  await settled();
  expect(calls).toEqual(['sync a create', 'stop a 5', 'clean a']);
  expect(podWorkers.shouldPodBeFinished('uid-a')).toBe(true);
  expect(podWorkers.shouldPodContentBeRemoved('uid-a')).toBe(true);
});

test('waits for a status that is newer than the last sync by the monotonic clock', async () => {
  const { newerThan, clock, podWorkers } = workers();
  podWorkers.updatePod(create(aPod('a')));
  clock.advance(2.5);
  await settled();
  podWorkers.updatePod({ updateType: 'sync', pod: aPod('a') });
  await settled();
  expect(newerThan).toEqual([-Infinity, 2.5]);
});

test('measures successful and failed updates with a start time, but no replays', async () => {
  const { clock, durations, podWorkers } = workers({
    syncPod: async ({ updateType }) => {
      clock.advance(20);
      if (updateType === 'update') throw new Error('fault');
      return RUNNING;
    },
  });
  const pod = aPod('a');
  podWorkers.updatePod({ updateType: 'create', pod, startTime: clock.monotonic() });
  await settled();
  podWorkers.updatePod({ updateType: 'update', pod, startTime: clock.monotonic() });
  await settled();
  podWorkers.updatePod({ updateType: 'sync', pod });
  await settled();
  podWorkers.updatePod({ updateType: 'kill', pod, startTime: clock.monotonic() });
  await settled();
  expect(podWorkers.shouldPodBeFinished('uid-a')).toBe(true);
  expect(durations).toEqual(['create 20', 'update 20', 'kill 0']);
});

test('stops and cleans up a pod that terminates by itself at once', async () => {
  const { calls, podWorkers } = workers({ syncPod: async () => ({ isTerminal: true }) });
  podWorkers.updatePod(create(aPod('a')));
  await settled();
  expect(calls).toEqual(['stop a undefined', 'clean a']);
});

test('merges updates during a sync', async () => {
  const { promise, resolve } = Promise.withResolvers<SyncOutcome>();
  const seen: (string | undefined)[] = [];
  const { podWorkers } = workers({
    syncPod: ({ pod }) => {
      seen.push(pod.metadata.resourceVersion);
      return promise;
    },
  });
  for (const resourceVersion of ['1', '2', '3']) {
    podWorkers.updatePod({ updateType: 'update', pod: aPod('a', { metadata: { resourceVersion } }) });
    await settled();
  }
  resolve(RUNNING);
  await settled();
  expect(seen).toEqual(['1', '3']);
});

test('cancels the sync in progress on a kill, and calls back after the containers have stopped', async () => {
  const { calls, podWorkers } = workers({
    syncPod: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const pod = aPod('a');
  podWorkers.updatePod(create(pod));
  await settled();
  const completed = (): void => void calls.push('completed');
  podWorkers.updatePod({ updateType: 'kill', pod, kill: { evict: true, gracePeriod: 3, completed } });
  await settled();
  expect(calls).toEqual(['stop a 3', 'completed', 'clean a']);
  expect(podWorkers.shouldPodContentBeRemoved('uid-a')).toBe(true);
});

test('shortens the grace period but never extends it', async () => {
  const periods: (number | undefined)[] = [];
  const { podWorkers } = workers({
    syncTerminatingPod: async ({ gracePeriod }, signal) => {
      periods.push(gracePeriod);
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
  });
  const pod = aPod('a');
  podWorkers.updatePod(create(pod));
  for (const gracePeriod of [20, 30, 10, 0]) {
    podWorkers.updatePod({ updateType: 'kill', pod, kill: { gracePeriod } });
    await settled();
  }
  expect(periods).toEqual([20, 10, 1]);
});

test('uses the latest status function of kill requests', async () => {
  const reasons: (string | undefined)[] = [];
  const { podWorkers } = workers({
    syncTerminatingPod: async ({ pod, podStatus }) => {
      podStatus?.(pod.status);
      reasons.push(pod.status.reason);
    },
  });
  const pod = aPod('a');
  for (const reason of ['Preempted', 'Evicted'])
    podWorkers.updatePod({ updateType: 'kill', pod, kill: { podStatus: (status) => (status.reason = reason) } });
  await settled();
  expect(reasons).toEqual(['Evicted']);
});

test.each([
  ['a failed sync', new Error('no'), 9999, 10_000],
  ['a network that is not ready', new SyncError('network is not ready', { isTransient: true }), 999, 1000],
  ['a back-off', new SyncError('back-off', { backoffUntil: 1_700_000_030_000 }), 29_999, 30_000],
  ['a back-off that ends after the next sync', new SyncError('b', { backoffUntil: 1_700_000_300_000 }), 59_999, 60_000],
])('schedules the pod again in time after %s', async (_, error, before, after) => {
  const { podWorkers, workQueue, clock } = workers({ syncPod: () => Promise.reject(error) });
  podWorkers.updatePod(create(aPod('a')));
  await settled();
  clock.advance(before);
  expect(workQueue.take()).toEqual([]);
  clock.advance(after - before);
  expect(workQueue.take()).toEqual(['uid-a']);
});

test('only cleans up a pod that terminated before the agent started', async () => {
  const { calls, podWorkers } = workers();
  podWorkers.updatePod(create(aPod('a', { status: { phase: 'Succeeded' } })));
  expect(podWorkers.isPodKnownTerminated('uid-a')).toBe(true);
  await settled();
  expect(calls).toEqual(['clean a']);
});

test('stops a pod that terminated before the agent started but has a running container', async () => {
  const { calls, podWorkers } = workers({}, ['uid-a']);
  podWorkers.updatePod(create(aPod('a', { status: { phase: 'Failed' } })));
  await settled();
  expect(calls).toEqual(['stop a 1', 'clean a']);
});

test('stops and forgets a pod that exists only in the runtime', async () => {
  const { calls, podWorkers } = workers();
  podWorkers.syncKnownPods([]);
  podWorkers.updatePod({ updateType: 'kill', runningPod: aRunningPod('a'), kill: { gracePeriod: 1 } });
  expect(podWorkers.couldHaveRunningContainers('uid-a')).toBe(true);
  await settled();
  expect(calls).toEqual(['stop runtime a']);
  expect(podWorkers.couldHaveRunningContainers('uid-a')).toBe(false);
  expect(podWorkers.syncKnownPods([]).size).toBe(0);
});

test('stops, then forgets a running pod that no source has any more', async () => {
  const { calls, podWorkers } = workers();
  podWorkers.updatePod(create(aPod('a')));
  await settled();
  expect(podWorkers.syncKnownPods([])).toEqual(new Map([['uid-a', { state: 'terminating', isOrphan: true }]]));
  await settled();
  expect(calls).toEqual(['sync a create', 'stop a undefined', 'clean a']);
  expect(podWorkers.syncKnownPods([]).size).toBe(0);
});

test('delays a static pod until the one with the same name has terminated', async () => {
  const { calls, podWorkers, clock, workQueue } = workers();
  const [first, second] = [aStaticPod('a', 'u1'), aStaticPod('a', 'u2')];
  podWorkers.updatePod(create(first));
  await settled();
  podWorkers.updatePod(create(second));
  await settled();
  expect(calls).toEqual(['sync a create']);
  podWorkers.updatePod({ updateType: 'kill', pod: first });
  expect(podWorkers.isPodForMirrorPodTerminating('a_default')).toBe(true);
  await settled();
  clock.advance(10_000);
  expect(workQueue.take()).toContain('u2');
  podWorkers.updatePod({ updateType: 'sync', pod: second });
  await settled();
  expect(calls.slice(-2)).toEqual(['clean a', 'sync a sync']);
});

test('never starts a static pod that is killed while it waits', async () => {
  const { calls, podWorkers } = workers();
  const [first, second, third] = [aStaticPod('a', 'u1'), aStaticPod('a', 'u2'), aStaticPod('a', 'u3')];
  for (const pod of [first, second, third]) podWorkers.updatePod(create(pod));
  await settled();
  let isCompleted = false;
  podWorkers.updatePod({ updateType: 'kill', pod: second, kill: { completed: () => (isCompleted = true) } });
  await settled();
  expect([isCompleted, podWorkers.shouldPodBeFinished('u2')]).toEqual([true, true]);
  podWorkers.updatePod({ updateType: 'kill', pod: first });
  await settled();
  podWorkers.updatePod({ updateType: 'sync', pod: third });
  await settled();
  expect(calls).toEqual(['sync a create', 'stop a 1', 'clean a', 'sync a sync']);
});

test('starts a pod that was created again under the uid of a terminating one after that one is forgotten', async () => {
  const { calls, podWorkers } = workers();
  const pod = aStaticPod('a', 'u1');
  podWorkers.updatePod(create(pod));
  podWorkers.updatePod({ updateType: 'kill', pod });
  podWorkers.updatePod(create(pod));
  await settled();
  podWorkers.updatePod(create(pod));
  await settled();
  expect(calls.filter((call) => call.startsWith('sync'))).toEqual([]);
  expect(podWorkers.syncKnownPods([pod]).has('u1')).toBe(false);
  podWorkers.updatePod(create(pod));
  await settled();
  expect(calls.at(-1)).toBe('sync a create');
});

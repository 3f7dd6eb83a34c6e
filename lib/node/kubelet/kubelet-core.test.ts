import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientset } from '#lib/client/clientset.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { World } from '#test/support/controllers/world.ts';
import { settled } from '#test/support/settled.ts';
import { PodStatusCache } from './container/cache.ts';
import { KubeletCore } from './kubelet-core.ts';
import type { PodSyncer } from './podworkers/pod-syncer.ts';
import { aPod } from './testing/pods.ts';
import { memoryResources } from './testing/runtime-ports.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const noKubelet = (): never => {
  throw new Error('no kubelet exists yet');
};

/** A core whose kubelet is the syncer. */
function aCore(syncer: () => PodSyncer) {
  const events: string[] = [];
  const statuses = new PodStatusCache();
  const core = new KubeletCore({
    client: clientset(world.user),
    clock: new ManualClock(),
    random: () => 0,
    recorder: { event: (_, type, reason, message) => void events.push(`${type} ${reason} ${message}`) },
    sources: ['api', 'file'],
    allocated: memoryResources(),
    statuses,
    syncFrequency: 60_000,
    backOffPeriod: 10_000,
    syncer,
    report: (message) => void events.push(message),
  });
  return { core, statuses, events };
}

test('provides pods, their states and sources before the kubelet exists', async () => {
  const { core, events } = aCore(noKubelet);
  const cpu = { requests: { cpu: '2' } };
  const pod = aPod('a', { spec: { containers: [{ name: 'app', image: 'busybox', resources: cpu }] } });
  core.podManager.updatePod(pod);
  core.podManager.updatePod(aPod('b', { status: { phase: 'Succeeded' } }));
  await core.allocated.setPodResources('uid-a', { pod: undefined, containers: new Map([['app', {}]]) });
  expect(core.activePods()).toEqual([pod]);
  expect(core.allocatedPods().map(({ spec }) => spec.containers?.[0]?.resources)).toEqual([{}]);
  expect(core.podWorkers.isPodTerminationRequested('uid-a')).toBe(false);
  core.sources.add('api');
  expect(core.areSourcesReady()).toBe(false);
  core.sources.add('file');
  expect(core.areSourcesReady()).toBe(true);
  expect(events).toEqual([]);
});

test('queues a sync for the loop before the kubelet exists', () => {
  const { core } = aCore(noKubelet);
  core.events.sync(['uid-a']);
  expect(core.events.take()).toEqual({ type: 'sync', uids: ['uid-a'] });
  expect(core.events.isEmpty).toBe(true);
});

test('syncs a pod with the kubelet that was created later', async () => {
  const synced: string[] = [];
  const { core, statuses } = aCore(() => syncer);
  const syncer: PodSyncer = {
    syncPod: async ({ pod }) => (synced.push(pod.metadata.name ?? ''), { isTerminal: false }),
    syncTerminatingPod: async () => undefined,
    syncTerminatingRuntimePod: async () => undefined,
    syncTerminatedPod: async () => undefined,
  };
  core.podWorkers.updatePod({ updateType: 'create', pod: aPod('a') });
  statuses.updateTime(1);
  await settled();
  expect(synced).toEqual(['a']);
});

test('reports that a pod is not synced because its status cannot be read', async () => {
  const { core, statuses, events } = aCore(noKubelet);
  core.podWorkers.updatePod({ updateType: 'create', pod: aPod('a') });
  statuses.set('uid-a', new Error('connection refused'), 1);
  await settled();
  expect(events).toEqual(['Warning FailedSync error determining status: connection refused', 'cannot sync pod a']);
});

import { beforeEach, expect, test } from 'vitest';
import type { Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { milliValue } from '#lib/machinery/resource/quantities.ts';
import { MemoryCheckpoints } from '../checkpointmanager/testing.ts';
import type { PodAdmitHandler } from '../lifecycle/pod-admit.ts';
import { PodResizeConditions } from '../status/resize-conditions.ts';
import { aPod } from '../testing/pods.ts';
import { StepClock } from '../testing/step-clock.ts';
import { AllocationManager } from './allocation-manager.ts';
import { ALLOCATED_PODS_STATE, PodResourceState } from './pod-resource-state.ts';

const store = new MemoryCheckpoints();
const pods = new Map<string, Pod>();
const events: string[] = [];
const synced: string[] = [];
let isReady = true;
let conditions: PodResizeConditions;

/** A node with 4 CPUs. */
const fourCPUs: PodAdmitHandler = {
  async admit(pod, others, operation) {
    const cpuOf = ({ spec }: Pod): bigint => milliValue(spec.containers?.[0]?.resources.requests?.['cpu'] ?? '0');
    const used = others.reduce((sum, other) => sum + cpuOf(other), 0n);
    if (operation === 'resize' && cpuOf(pod) > 10_000n) return { admit: false, reason: 'Infeasible', message: 'never' };
    if (used + cpuOf(pod) <= 4000n) return { admit: true };
    return { admit: false, reason: 'OutOfcpu', message: `used ${used}` };
  },
};

async function manager(clock = new StepClock()): Promise<AllocationManager> {
  conditions = new PodResizeConditions(clock);
  return new AllocationManager({
    allocated: await PodResourceState.restore(store, ALLOCATED_PODS_STATE, '/'),
    admitHandlers: [fourCPUs],
    conditions,
    recorder: { event: (_, type, reason, message) => void events.push(`${type} ${reason} ${message}`) },
    clock,
    areSourcesReady: () => isReady,
    activePods: () => [...pods.values()],
    podByUid: (uid) => pods.get(uid),
    syncPod: (uid) => void synced.push(uid),
    report: (message, error) => void events.push(`${message}: ${String(error)}`),
  });
}

/** Replaces the node's pod of this name with one that requests these CPUs. */
function wanted(name: string, cpu: string, spec: Partial<Pod['spec']> = {}, generation = 1): Pod {
  const resources: ResourceRequirements = { requests: { cpu } };
  const own = { ...spec, containers: [{ name: 'app', image: 'busybox', resources }] };
  const pod = aPod(name, { spec: own, metadata: { generation } });
  pods.set(uidOf(pod), pod);
  return pod;
}

/** Requests a resize, and retries all pending ones. */
async function resize(own: AllocationManager, name: string, cpu: string): Promise<Pod> {
  const pod = wanted(name, cpu, {}, 2);
  await own.pushPendingResize(uidOf(pod));
  await own.retryPendingResizes();
  return pod;
}

beforeEach(async () => {
  pods.clear();
  events.length = 0;
  synced.length = 0;
  isReady = true;
  await store.delete(ALLOCATED_PODS_STATE);
});

const cpuOf = (own: AllocationManager, pod: Pod) =>
  own.allocatedPod(pod).spec.containers?.[0]?.resources.requests?.['cpu'];

test('restores the allocation of an admitted pod after a restart', async () => {
  const own = await manager();
  expect(await own.addPod(wanted('a', '3'))).toEqual({ admit: true });
  expect(await own.addPod(wanted('b', '2'))).toEqual({ admit: false, reason: 'OutOfcpu', message: 'used 3000' });
  pods.delete('uid-b');
  const again = await manager();
  const grown = wanted('a', '4');
  expect(cpuOf(again, grown)).toBe('3');
  expect(await again.addPod(grown)).toEqual({ admit: true });
  expect(cpuOf(again, grown)).toBe('3');
});

test('allocates a resize that fits at once', async () => {
  const own = await manager();
  await own.addPod(wanted('a', '1'));
  conditions.setInProgress('uid-a', { reason: 'Error', message: 'before', generation: 1 });
  const pod = await resize(own, 'a', '4');
  expect(own.allocatedPod(pod)).toBe(pod);
  expect(conditions.of('uid-a')).toMatchObject([{ type: 'PodResizeInProgress', observedGeneration: 2 }]);
  expect(conditions.of('uid-a')[0]?.reason).toBeUndefined();
  expect(synced).toEqual(['uid-a']);
  expect(own.hasPendingResizes()).toBe(false);
  const summary = '{"containers":[{"name":"app","resources":{"requests":{"cpu":"4"}}}],"generation":2}';
  expect(events).toEqual([`Normal ResizeStarted Pod resize started: ${summary}`]);
});

test('defers a resize without room, records it once, and allocates it when there is room', async () => {
  const own = await manager();
  await own.addPod(wanted('a', '1'));
  await own.addPod(wanted('b', '3'));
  const pod = await resize(own, 'a', '2');
  await own.retryPendingResizes();
  expect(cpuOf(own, pod)).toBe('1');
  expect(conditions.pending('uid-a')).toMatchObject({ reason: 'Deferred', message: 'used 3000' });
  const summary =
    '{"containers":[{"name":"app","resources":{"requests":{"cpu":"2"}}}],"generation":2,"error":"used 3000"}';
  expect(events).toEqual([`Warning ResizeDeferred Pod resize OutOfcpu: ${summary}`]);
  pods.delete('uid-b');
  await own.retryPendingResizes();
  expect(cpuOf(own, pod)).toBe('2');
  expect(conditions.of('uid-a').map(({ type }) => type)).toEqual(['PodResizeInProgress']);
});

test('reports an infeasible resize and does not retry it', async () => {
  const own = await manager();
  await own.addPod(wanted('a', '1'));
  await resize(own, 'a', '11');
  expect(conditions.pending('uid-a')).toMatchObject({ reason: 'Infeasible', message: 'never' });
  expect(events[0]).toMatch(/^Warning ResizeInfeasible Pod resize Infeasible: .*"error":"never"\}$/);
  expect(own.hasPendingResizes()).toBe(false);
});

test('drops a pending resize that was reverted', async () => {
  const own = await manager();
  await own.addPod(wanted('a', '1'));
  await resize(own, 'a', '5');
  wanted('a', '1000m', {}, 3);
  await own.retryPendingResizes();
  expect(conditions.of('uid-a')).toEqual([]);
  expect(own.hasPendingResizes()).toBe(false);
});

test('tries decreases first, then resizes of higher priority', async () => {
  const own = await manager();
  for (const [name, cpu] of [
    ['low', '1'],
    ['high', '1'],
    ['less', '2'],
  ] as const)
    await own.addPod(wanted(name, cpu));
  const asking = [
    wanted('low', '2', { priority: 1 }, 2),
    wanted('high', '2', { priority: 2 }, 2),
    wanted('less', '1', {}, 2),
  ];
  for (const pod of asking) await own.pushPendingResize(uidOf(pod));
  await own.retryPendingResizes();
  expect(asking.map((pod) => cpuOf(own, pod))).toEqual(['1', '2', '1']);
  expect(conditions.isDeferred('uid-low')).toBe(true);
});

test('retries pending resizes periodically, but not before all sources are ready', async () => {
  const ending = new AbortController();
  const clock = new StepClock((sleeps) => {
    if (sleeps === 2) isReady = true;
    if (sleeps === 4) ending.abort();
  });
  const own = await manager(clock);
  await own.addPod(wanted('a', '1'));
  isReady = false;
  const pod = await resize(own, 'a', '2');
  expect(cpuOf(own, pod)).toBe('1');
  await own.run(ending.signal);
  expect(cpuOf(own, pod)).toBe('2');
  expect(clock.sleeps).toEqual([30_000, 30_000, 180_000, 180_000]);
});

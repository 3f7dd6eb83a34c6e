import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { PodStatusCache } from '../container/cache.ts';
import { RuntimeManager } from '../kuberuntime/runtime-manager.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { StepClock } from '../testing/step-clock.ts';
import { computeEvents } from './compute-events.ts';
import { GenericPLEG } from './generic.ts';

const POD = aPod('web');
const UID = POD.metadata.uid ?? '';

function aPLEG(clock: ManualClock | StepClock) {
  const node = aNodeRuntime(clock);
  const { ports } = node.process();
  const runtime = new RuntimeManager(ports);
  const cache = new PodStatusCache();
  const events: string[] = [];
  const reports: string[] = [];
  const toReinspect = new Set<string>();
  const pleg = new GenericPLEG({
    runtime,
    cache,
    clock,
    toReinspect,
    onEvent: ({ type, containerID = '' }) => events.push(`${type} ${containerID.slice(-1)}`.trim()),
    report: (message) => reports.push(message),
  });
  const sync = async (): Promise<void> => {
    await runtime.syncPod(POD, await runtime.podStatus(UID, 'web', 'default'), { pullSecrets: [] });
  };
  return { ...node, runtime, cache, events, reports, pleg, toReinspect, sync };
}

test('reports the start, the exit and the removal of a container once each', async () => {
  const clock = new StepClock();
  const { fake, pleg, events, sync, cache } = aPLEG(clock);
  fake.containers.script('app', { runsFor: 3000, exitCode: 4 });
  await sync();
  await pleg.relist();
  expect(events.splice(0)).toEqual(['ContainerStarted 2', 'ContainerStarted 1']);
  await pleg.relist();
  expect(events).toEqual([]);
  await clock.sleep(3000);
  await pleg.relist();
  expect(events.splice(0)).toEqual(['ContainerDied 2']);
  expect(cache.get(UID).containerStatuses).toMatchObject([{ name: 'app', state: 'exited', exitCode: 4 }]);
  fake.containers.containers.clear();
  await pleg.relist();
  expect(events.splice(0)).toEqual(['ContainerRemoved 2']);
});

test('reports a container once as died that exits between the listing and its status', async () => {
  const { fake, runtime, pleg, events, sync, cache } = aPLEG(new StepClock());
  await sync();
  const podStatus = runtime.podStatus.bind(runtime);
  runtime.podStatus = (...args) => {
    fake.containers.reboot();
    return podStatus(...args);
  };
  await pleg.relist();
  expect(cache.get(UID).containerStatuses[0]?.state).toBe('exited');
  expect(events.splice(0)).toContain('ContainerDied 2');
  await pleg.relist();
  expect(events).not.toContain('ContainerDied 2');
});

test('reports a running container that vanishes as died', () => {
  const pod = { uid: 'u', name: 'web', namespace: 'ns', createdAt: 0, sandboxes: [] };
  const container = {
    id: 'c',
    name: 'a',
    image: '',
    imageID: '',
    imageRef: '',
    imageRuntimeHandler: '',
    hash: '',
    podSandboxID: '',
    createdAt: 0,
  };
  const running = { ...pod, containers: [{ ...container, state: 'running' as const }] };
  const created = { ...pod, containers: [{ ...container, state: 'created' as const }] };
  const types = (...[before, after]: [typeof running | undefined, typeof created | undefined]): string[] =>
    computeEvents('u', before, after).map(({ type }) => type);
  expect(types(running, undefined)).toEqual(['ContainerDied', 'ContainerRemoved']);
  expect(types(undefined, created)).toEqual(['ContainerChanged']);
});

test('makes only the two listing calls for an unchanged pod', async () => {
  const { fake, pleg, sync } = aPLEG(new StepClock());
  await sync();
  await pleg.relist();
  fake.calls.length = 0;
  await pleg.relist();
  expect(fake.calls).toEqual(['listPodSandbox', 'listContainers']);
});

test('reports a change at the next relist if the status could not be read', async () => {
  const { fake, pleg, events, sync, cache, reports } = aPLEG(new StepClock());
  await sync();
  fake.fail('containerStatus');
  await pleg.relist();
  expect(events).toEqual([]);
  expect(reports).toEqual([`the status of pod ${UID} cannot be read`]);
  expect(() => cache.get(UID)).toThrow('connection error');
  await pleg.relist();
  expect(events).toHaveLength(2);
  expect(cache.get(UID).ips).toHaveLength(1);
});

test('keeps the address of a pod whose sandbox stops', async () => {
  const { fake, pleg, sync, cache } = aPLEG(new StepClock());
  await sync();
  await pleg.relist();
  const { ips } = cache.get(UID);
  fake.containers.reboot();
  await pleg.relist();
  expect(cache.get(UID).containerStatuses[0]?.state).toBe('exited');
  expect(cache.get(UID).ips).toEqual(ips);
});

test('continues after a listener that throws', async () => {
  const { runtime, cache, clock, sync, reports } = { ...aPLEG(new StepClock()), clock: new StepClock() };
  const onEvent = (): never => {
    throw new Error('broken');
  };
  const pleg = new GenericPLEG({
    runtime,
    cache,
    clock,
    toReinspect: new Set(),
    onEvent,
    report: (message) => reports.push(message),
  });
  await sync();
  await pleg.relist();
  await pleg.relist();
  expect(reports).toEqual(['a listing of pods failed']);
  expect(cache.get(UID).containerStatuses).toHaveLength(1);
});

test("reads a pod's status again on request", async () => {
  const { pleg, events, toReinspect, sync } = aPLEG(new StepClock());
  await sync();
  await pleg.relist();
  events.length = 0;
  toReinspect.add(UID);
  await pleg.relist();
  expect(events).toEqual(['PodSync']);
});

test('relists one pod on request before the next second', async () => {
  const clock = new ManualClock();
  const { fake, pleg, events, sync } = aPLEG(clock);
  const stop = new AbortController();
  const running = pleg.run(stop.signal);
  await eventually(() => expect(pleg.healthy()).toBeUndefined());
  await sync();
  clock.advance(1);
  fake.calls.length = 0;
  pleg.requestRelist(UID);
  await eventually(() => expect(events).toHaveLength(2));
  expect(fake.calls.filter((call) => call === 'listPodSandbox')).toHaveLength(2);
  stop.abort();
  await running;
});

test('treats a listing within the same millisecond as newer than the previous sync', async () => {
  const clock = new ManualClock();
  const { pleg, sync, cache } = aPLEG(clock);
  await sync();
  clock.jump(-0.5); // the wall clock has whole milliseconds, and may be set back
  const synced = clock.monotonic();
  clock.advance(0.5);
  await pleg.relist();
  await expect(cache.newerThan(UID, synced)).resolves.toMatchObject({ uid: UID });
  const waits = Promise.race([cache.newerThan(UID, clock.monotonic()), Promise.resolve('waits')]);
  await expect(waits).resolves.toBe('waits');
});

test('reports a node as unhealthy after three minutes without a listing', async () => {
  const clock = new StepClock();
  const { fake, pleg } = aPLEG(clock);
  expect(pleg.healthy()).toBe('pleg has yet to be successful');
  await pleg.relist();
  fake.fail('listPodSandbox', undefined, { times: 9 });
  await clock.sleep(180_000);
  await pleg.relist();
  expect(pleg.healthy()).toBeUndefined();
  await clock.sleep(1500);
  expect(pleg.healthy()).toBe('pleg was last seen active 3m1.5s ago; threshold is 3m0s');
});

test('lists pods every second', async () => {
  const stop = new AbortController();
  const clock = new StepClock((sleeps) => {
    if (sleeps === 3) stop.abort();
  });
  const { fake, pleg } = aPLEG(clock);
  await pleg.run(stop.signal);
  expect(clock.sleeps).toEqual([1000, 1000, 1000]);
  expect(fake.calls.filter((call) => call === 'listPodSandbox')).toHaveLength(3);
});

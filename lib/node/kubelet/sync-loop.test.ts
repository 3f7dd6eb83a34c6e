import { expect, test } from 'vitest';
import { SyncLoop, type SyncLoopOptions } from './sync-loop.ts';
import { SyncLoopEvents } from './sync-loop-events.ts';
import { aPod } from './testing/pods.ts';
import { StepClock } from './testing/step-clock.ts';

interface Run {
  readonly sleeps: number;
  readonly errors?: (sleeps: number) => readonly string[];
  readonly kubelet?: Partial<SyncLoopOptions['kubelet']>;
  during?(events: SyncLoopEvents, sleeps: number, loop: SyncLoop): void;
}

/** Runs a loop for this many sleeps. Returns the calls that it made. */
async function run({ sleeps, errors = () => [], kubelet = {}, during = () => undefined }: Run) {
  const calls: string[] = [];
  const ending = new AbortController();
  let slept = 0;
  const clock = new StepClock((count) => {
    slept = count;
    during(events, count, loop);
    if (count === sleeps) ending.abort();
  });
  const events = new SyncLoopEvents();
  const loop = new SyncLoop({
    events,
    kubelet: {
      handle: async ({ op, pods }) => void calls.push(`${op} ${pods.map(({ metadata }) => metadata.name).join()}`),
      handleLifecycleEvent: ({ uid, type }) => void calls.push(`${type} ${uid}`),
      handleProbe: ({ kind, podUID }) => void calls.push(`${kind} ${podUID}`),
      syncPods: (uids) => void calls.push(`sync ${uids.join()}`),
      syncDuePods: () => void calls.push('sync due'),
      housekeep: async () => void calls.push('housekeeping'),
      ...kubelet,
    },
    runtimeState: { runtimeErrors: () => [...errors(slept)] },
    clock,
    syncFrequency: 60_000,
    sourceSeen: (source) => void calls.push(`seen ${source}`),
    report: (message) => void calls.push(message),
  });
  await loop.run(ending.signal);
  return { calls, clock, loop };
}

test('syncs due pods every second and cleans up every two seconds', async () => {
  const { calls } = await run({ sleeps: 4 });
  expect(calls).toEqual(['sync due', 'sync due', 'housekeeping', 'sync due']);
});

test('handles events in order, and marks a source as seen after its update', async () => {
  const { calls } = await run({
    sleeps: 2,
    during(events, sleeps) {
      if (sleeps > 1) return;
      events.config({ op: 'ADD', source: 'api', pods: [aPod('a')] });
      events.runtimeEvent({ uid: 'u1', type: 'ContainerDied' });
      events.probe({ kind: 'liveness', podUID: 'u2', containerID: 'containerd://c', result: 'failure' });
      events.sync(['u3']);
    },
  });
  expect(calls).toEqual(['ADD a', 'seen api', 'sync due', 'ContainerDied u1', 'liveness u2', 'sync u3']);
});

test('handles the events of one listing before a worker starts', async () => {
  const seen: string[] = [];
  await run({
    sleeps: 2,
    kubelet: {
      handleLifecycleEvent({ containerID = '' }) {
        seen.push(containerID);
        queueMicrotask(() => seen.push('worker'));
      },
    },
    during(events, sleeps) {
      if (sleeps > 1) return;
      events.runtimeEvent({ uid: 'u', type: 'ContainerStarted', containerID: 'container' });
      events.runtimeEvent({ uid: 'u', type: 'ContainerStarted', containerID: 'sandbox' });
    },
  });
  expect(seen.slice(0, 2)).toEqual(['container', 'sandbox']);
});

test('syncs no pods while the runtime does not respond, and checks it less often', async () => {
  const { calls, clock } = await run({
    sleeps: 8,
    errors: (slept) => (slept < 7 ? ['container runtime is down'] : []),
  });
  expect(clock.sleeps.slice(0, 7)).toEqual([100, 200, 400, 800, 1600, 3200, 5000]);
  expect(calls).toEqual(['Skipping pod synchronization', 'sync due', 'housekeeping']); // the start took 5 s
});

test('tolerates a runtime that responds within five seconds of the start, but not one that stops later', async () => {
  const isDown = (slept: number): boolean => slept < 6 || slept === 7;
  const { calls } = await run({ sleeps: 8, errors: (slept) => (isDown(slept) ? ['container runtime is down'] : []) });
  expect(calls).toEqual(['sync due', 'housekeeping', 'Skipping pod synchronization']);
});

test('continues after a failed step', async () => {
  const { calls } = await run({ sleeps: 4, kubelet: { housekeep: () => Promise.reject(new Error('no runtime')) } });
  expect(calls).toEqual(['sync due', 'sync due', 'cannot take a step of the sync loop', 'sync due']);
});

test('is unhealthy after five minutes without a step, and healthy after the next one', async () => {
  const faults: (string | undefined)[] = [];
  let isDown = false;
  const { loop } = await run({
    sleeps: 80,
    errors: () => (isDown ? ['container runtime is down'] : []),
    during(_, sleeps, current) {
      isDown = sleeps > 2 && sleeps < 76;
      faults.push(current.fault());
    },
  });
  expect(faults.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(faults[74]).toBe('sync Loop took longer than expected');
  expect(loop.fault()).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import type { Container, Pod, Probe } from '#lib/api/types/core.v1.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { gracePeriodOf } from './kill-container.ts';
import type { KillReason } from './pod-actions.ts';
import { RuntimeManager } from './runtime-manager.ts';
import type { RuntimePorts } from './runtime-ports.ts';

const container = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'i',
  resources: {},
  ...more,
});
const sidecar = (name: string): Container => container(name, { restartPolicy: 'Always' });
const withHook = { lifecycle: { preStop: { exec: { command: ['bye'] } } } };

/** Runs a pod and kills it. Returns when each container exited, in seconds after the kill began. */
async function ended(
  spec: Partial<Pod['spec']>,
  options: {
    readonly stopsIn?: Record<string, number>;
    readonly override?: number;
    readonly isForgotten?: boolean;
    readonly ports?: (clock: EventClock) => Partial<RuntimePorts>;
  } = {},
) {
  const clock = new EventClock();
  const node = aNodeRuntime(clock, options.ports?.(clock));
  const manager = new RuntimeManager(node.process().ports);
  const pod = aPod('web', { spec: { terminationGracePeriodSeconds: 30, containers: [container('app')], ...spec } });
  const { containers: world } = node.fake;
  for (const [name, seconds] of Object.entries(options.stopsIn ?? {})) world.script(name, { stopsIn: seconds * 1000 });
  for (let step = 0; step < 5; step += 1)
    await manager.syncPod(pod, await manager.podStatus('uid-web', 'web', 'default'), { pullSecrets: [] });
  node.events.length = 0;
  const [running] = await manager.pods(false);
  if (running === undefined) throw new Error('nothing runs');
  const start = clock.now();
  await clock.runUntil(manager.killPod(options.isForgotten === true ? undefined : pod, running, options.override));
  const ends = [...world.containers.values()].map(({ config, finishedAt, exitCode }) => {
    const seconds = Math.floor((Number(finishedAt / 1_000_000n) - start) / 1000);
    return `${config.metadata?.name} ${seconds} s ${exitCode}`;
  });
  return { ends, events: node.events, world, reports: node.reports };
}

describe('the kill of a pod', () => {
  test('stops all containers of a pod at once, then its sandbox', async () => {
    const { ends, events, world } = await ended(
      { containers: [container('a'), container('b')] },
      { stopsIn: { a: 3 } },
    );
    expect(ends).toEqual(['a 3 s 143', 'b 0 s 143']);
    expect(events.sort()).toEqual([
      'Normal Killing spec.containers{a}: Stopping container a',
      'Normal Killing spec.containers{b}: Stopping container b',
    ]);
    expect([...world.sandboxes.values()].map(({ state }) => state)).toEqual([1]);
  });

  test('kills a container after its grace period', async () => {
    expect((await ended({}, { stopsIn: { app: 99 } })).ends).toEqual(['app 30 s 137']);
    expect((await ended({}, { stopsIn: { app: 99 }, override: 7 })).ends).toEqual(['app 7 s 137']);
    expect((await ended({}, { stopsIn: { app: 99 }, override: 0 })).ends).toEqual(['app 2 s 137']);
  });

  test('stops a pod with only the labels of its containers', async () => {
    const { ends, events } = await ended(
      { terminationGracePeriodSeconds: 11, containers: [container('app', withHook)] },
      { isForgotten: true, stopsIn: { app: 99 } },
    );
    expect(ends).toEqual(['app 11 s 137']);
    expect(events).toEqual(['Normal Killing spec.containers{app}: Stopping container app']);
  });

  test('stops sidecars after regular containers, the last sidecar first', async () => {
    const spec = { initContainers: [sidecar('s'), sidecar('t')], containers: [container('a'), container('b')] };
    const { ends } = await ended(spec, { stopsIn: { a: 2, b: 4, s: 1, t: 3 } });
    expect(ends.sort()).toEqual(['a 2 s 143', 'b 4 s 143', 's 8 s 143', 't 7 s 143']);
  });

  test('waits for the termination order at most for the grace period', async () => {
    const spec = { terminationGracePeriodSeconds: 5, initContainers: [sidecar('s')] };
    const { ends } = await ended(spec, { stopsIn: { app: 99, s: 99 } });
    expect(ends.sort()).toEqual(['app 5 s 137', 's 7 s 137']);
  });
});

describe('a PreStop hook', () => {
  const hooksOf = (run: (clock: EventClock, signal?: AbortSignal) => Promise<void>) => (clock: EventClock) => ({
    hooks: {
      run: (_id: string, _pod: Pod, _container: Container, _handler: unknown, signal?: AbortSignal) =>
        run(clock, signal),
    },
  });

  test('subtracts the duration of a PreStop hook from the grace period', async () => {
    const ports = hooksOf((clock) => clock.sleep(12_500));
    const { ends } = await ended({ containers: [container('app', withHook)] }, { ports, stopsIn: { app: 99 } });
    expect(ends).toEqual(['app 30 s 137']);
  });

  test('aborts a PreStop hook that does not end, and leaves two seconds', async () => {
    let isAborted = false;
    const ports = hooksOf(async (clock, signal) => {
      await clock.sleep(900_000, signal);
      isAborted = signal?.aborted === true;
    });
    const { ends } = await ended({ containers: [container('app', withHook)] }, { ports, stopsIn: { app: 99 } });
    expect(ends).toEqual(['app 32 s 137']);
    expect(isAborted).toBe(true);
  });

  test('records an event without details for a failed PreStop hook', async () => {
    const ports = hooksOf(() => Promise.reject(new Error('secret')));
    const { ends, events, reports } = await ended({ containers: [container('app', withHook)] }, { ports });
    expect(ends).toEqual(['app 0 s 143']);
    expect(events).toEqual([
      'Normal Killing spec.containers{app}: Stopping container app',
      'Warning FailedPreStopHook spec.containers{app}: PreStopHook failed',
    ]);
    expect(reports).toHaveLength(1);
  });

  test('skips the PreStop hook without a grace period', async () => {
    const ports = hooksOf(() => Promise.reject(new Error('ran')));
    const { reports } = await ended({ containers: [container('app', withHook)] }, { ports, override: 0 });
    expect(reports).toEqual([]);
  });
});

describe('the grace period', () => {
  const probe: Probe = { terminationGracePeriodSeconds: 9 };
  const probed = container('app', { livenessProbe: probe, startupProbe: { terminationGracePeriodSeconds: 8n } });

  test.each<[string, KillReason, Container, Partial<Pod['spec']>, number | undefined, number]>([
    ['is two seconds without a spec', '', probed, {}, undefined, 2],
    ["is the pod's", '', probed, { terminationGracePeriodSeconds: 20 }, undefined, 20],
    [
      "is the liveness probe's if that failed",
      'LivenessProbe',
      probed,
      { terminationGracePeriodSeconds: 20 },
      undefined,
      9,
    ],
    [
      "is the startup probe's if that failed",
      'StartupProbe',
      probed,
      { terminationGracePeriodSeconds: 20 },
      undefined,
      8,
    ],
    [
      "is the pod's if the probe has none",
      'LivenessProbe',
      container('app'),
      { terminationGracePeriodSeconds: 20 },
      undefined,
      20,
    ],
    ['is that of the deletion before all others', 'LivenessProbe', probed, { terminationGracePeriodSeconds: 20 }, 3, 3],
  ])('the grace period %s', (...[, reason, spec, podSpec, deletion, seconds]) => {
    const metadata = deletion === undefined ? {} : { deletionGracePeriodSeconds: deletion };
    expect(gracePeriodOf(aPod('web', { spec: podSpec, metadata }), spec, reason)).toBe(seconds);
  });
});

test('reports all failures of a kill', async () => {
  const clock = new EventClock();
  const { fake, process } = aNodeRuntime(clock);
  const manager = new RuntimeManager(process().ports);
  const pod = aPod('web');
  await manager.syncPod(pod, await manager.podStatus('uid-web', 'web', 'default'), { pullSecrets: [] });
  const [running] = await manager.pods(false);
  if (running === undefined) throw new Error('nothing runs');
  fake.fail('stopContainer');
  fake.fail('stopPodSandbox');
  await expect(manager.killPod(pod, running)).rejects.toThrow(
    '[failed to "KillContainer" for "app" with KillContainerError: "rpc error: code = Unavailable desc = connection error", ' +
      'failed to "KillPodSandbox" for "uid-web" with KillPodSandboxError: "rpc error: code = Unavailable desc = connection error"]',
  );
});

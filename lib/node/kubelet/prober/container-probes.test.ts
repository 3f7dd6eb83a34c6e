import { describe, expect, test } from 'vitest';
import type { Container, ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { ContainerProbes } from './container-probes.ts';
import { failed, type ProbeOutcome, succeeded } from './outcome.ts';
import type { ProbeUpdate } from './probe-manager.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const PROBE = {
  tcpSocket: { port: 80 },
  periodSeconds: 10,
  timeoutSeconds: 1,
  failureThreshold: 3,
  successThreshold: 1,
};

const aContainer = (more: Partial<Container>): Container => ({ name: 'app', image: 'i', resources: {}, ...more });

const aPod = (containers: Container[], more: Partial<Pod['spec']> = {}, status: Partial<PodStatus> = {}): Pod => ({
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: { containers, restartPolicy: 'Always', ...more },
  status: { phase: 'Running', ...status },
});

const running = (id: string, startedAt: number, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'app',
  state: { running: { startedAt: new Date(startedAt).toISOString() } },
  lastState: {},
  ready: false,
  restartCount: 0,
  image: 'i',
  imageID: '',
  containerID: `containerd://${id}`,
  started: true,
  ...more,
});

const exited = (id: string, exitCode: number): ContainerStatus => ({
  ...running(id, START),
  state: { terminated: { exitCode, startedAt: null, finishedAt: null } },
});

interface World {
  readonly probes: ContainerProbes;
  readonly clock: ManualClock;
  readonly updates: string[];
  readonly events: string[];
  probed: number;
  outcome: ProbeOutcome;
  statuses: ContainerStatus[] | undefined;
  phase: string;
  /** Advances time, one second at a time. */
  pass(seconds: number): Promise<void>;
}

function aWorld(): World {
  const clock = new ManualClock(START);
  const updates: string[] = [];
  const events: string[] = [];
  const world: World = {
    clock,
    updates,
    events,
    probed: 0,
    outcome: succeeded(''),
    statuses: undefined,
    phase: 'Running',
    probes: new ContainerProbes({
      clock,
      random: () => 0,
      podStatus: () => world.statuses && { phase: world.phase, podIP: '192.0.2.1', containerStatuses: world.statuses },
      http: { get: () => Promise.reject(new Error('no HTTP')) },
      tcp: {
        async connect() {
          world.probed += 1;
          return world.outcome;
        },
      },
      grpc: { check: async () => failed('') },
      runtime: { runInContainer: () => Promise.reject(new Error('no exec')) },
      events: { event: (_, type, reason, message, path) => void events.push(`${type} ${reason} ${message} ${path}`) },
      updated: ({ kind, containerID, result, podUID }: ProbeUpdate) =>
        void updates.push(`${kind} ${containerID} ${result} ${podUID}`),
    }),
    async pass(seconds) {
      await settled();
      for (let i = 0; i < seconds; i++) {
        clock.advance(1000);
        await settled();
      }
    },
  };
  return world;
}

/** The values of ready and started of each container in the updated status. */
function flags(world: World, pod: Pod): string {
  const status: PodStatus = { containerStatuses: structuredClone(world.statuses ?? []) };
  world.probes.updatePodStatus(pod, status);
  return (status.containerStatuses ?? []).map(({ started, ready }) => `${started}/${ready}`).join(' ');
}

describe('a readiness probe', () => {
  const pod = aPod([aContainer({ readinessProbe: PROBE })]);

  test('reports a container as not ready until the probe succeeds', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.outcome = failed('no');
    world.probes.addPod(pod);
    await world.pass(0);
    expect(flags(world, pod)).toBe('true/false');
    expect(world.updates).toEqual(['readiness containerd://1 failure u']);
    world.outcome = succeeded('');
    await world.pass(10);
    expect(flags(world, pod)).toBe('true/true');
    expect(world.updates.at(-1)).toBe('readiness containerd://1 success u');
    expect(world.events).toContain('Warning Unhealthy Readiness probe failed: no spec.containers{app}');
  });

  test('reports a container as not ready after as many consecutive failures as the threshold', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.probes.addPod(pod);
    await world.pass(0);
    world.outcome = failed('no');
    await world.pass(20);
    expect(flags(world, pod)).toBe('true/true');
    await world.pass(10);
    expect(flags(world, pod)).toBe('true/false');
  });

  test('probes a container that is not ready at once when the status is written', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.outcome = failed('no');
    world.probes.addPod(pod);
    await world.pass(3);
    expect(world.probed).toBe(1);
    flags(world, pod);
    await world.pass(9);
    expect(world.probed).toBe(2);
    await world.pass(1);
    expect(world.probed).toBe(3); // 13 s: the period starts with the triggered probe
  });

  test.each([
    ['True', 'true/true'],
    ['False', 'true/false'],
  ])('keeps the readiness of a container that was running before the agent: Ready was %s', async (ready, expected) => {
    const world = aWorld();
    const before = aPod(
      [aContainer({ readinessProbe: PROBE })],
      {},
      { conditions: [{ type: 'Ready', status: ready, lastProbeTime: null, lastTransitionTime: null }] },
    );
    world.statuses = [running('1', START - 60_000)];
    world.probes.addPod(before);
    expect(flags(world, before)).toBe(expected);
    await world.pass(0);
    expect(world.updates).toEqual(['readiness containerd://1 success u']);
  });

  test('waits for the initial delay', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.probes.addPod(aPod([aContainer({ readinessProbe: { ...PROBE, initialDelaySeconds: 15 } })]));
    await world.pass(19);
    expect(world.probed).toBe(0);
    await world.pass(1);
    expect(world.probed).toBe(1);
  });
});

describe('a liveness probe', () => {
  const pod = aPod([aContainer({ livenessProbe: { ...PROBE, failureThreshold: 2 } })]);

  test('does not probe a failed container until it is replaced', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.outcome = failed('no');
    world.probes.addPod(pod);
    await world.pass(40);
    expect(world.probed).toBe(2);
    expect(world.probes.result('liveness', '1')).toBe('failure');
    world.statuses = [running('2', START + 40_000)];
    await world.pass(10);
    expect(world.probes.result('liveness', '1')).toBeUndefined();
    expect(world.probes.result('liveness', 'containerd://2')).toBe('success');
    expect(world.probed).toBe(3);
  });

  test('stops with StopLivenessAndStartup', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.probes.addPod(pod);
    await world.pass(0);
    world.probes.stopLivenessAndStartup(pod);
    await world.pass(30);
    expect(world.probed).toBe(1);
    expect(world.probes.result('liveness', '1')).toBeUndefined();
  });
});

describe('a startup probe', () => {
  const pod = aPod([aContainer({ startupProbe: PROBE, livenessProbe: PROBE })]);

  test('delays the other probes until it succeeds, and then stops', async () => {
    const world = aWorld();
    world.statuses = [running('1', START, { started: false })];
    world.outcome = failed('no');
    world.probes.addPod(pod);
    await world.pass(10);
    expect(flags(world, pod)).toBe('false/false');
    expect(world.probed).toBe(2);
    world.outcome = succeeded('');
    await world.pass(10);
    expect(flags(world, pod)).toBe('true/true');
    world.statuses = [running('1', START)];
    await world.pass(10);
    expect(world.probed).toBe(4); // the fourth call is the liveness probe
  });
});

describe('the end of a worker', () => {
  const pod = aPod([aContainer({ readinessProbe: PROBE })], { restartPolicy: 'Never' });
  const alive = (world: World): boolean => world.probes.collect().some(({ samples }) => samples.length > 0);

  test.each<[string, (world: World) => void]>([
    ['together with its pod', (world) => void (world.phase = 'Succeeded')],
    ['when its container does not restart', (world) => void (world.statuses = [exited('1', 1)])],
    ['with RemovePod', (world) => world.probes.removePod(pod)],
    ['for a pod that is no longer desired', (world) => world.probes.cleanupPods(new Set())],
  ])('stops a worker %s', async (_, act) => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.probes.addPod(pod);
    await world.pass(0);
    expect(alive(world)).toBe(true);
    act(world);
    await world.pass(10);
    expect(alive(world)).toBe(false);
    expect(world.probes.result('readiness', '1')).toBeUndefined();
  });

  test('continues with a container that restarts', async () => {
    const world = aWorld();
    world.statuses = [running('1', START)];
    world.probes.addPod(aPod([aContainer({ readinessProbe: PROBE })], { restartPolicy: 'OnFailure' }));
    await world.pass(0);
    world.statuses = [exited('1', 1)];
    await world.pass(10);
    expect(world.probes.result('readiness', '1')).toBe('failure');
    world.statuses = [running('2', START + 15_000)];
    await world.pass(10);
    expect(world.probes.result('readiness', '2')).toBe('success');
  });
});

test('counts probes by result and times successful ones', async () => {
  const world = aWorld();
  world.statuses = [running('1', START)];
  world.probes.addPod(aPod([aContainer({ readinessProbe: PROBE, livenessProbe: PROBE })]));
  await world.pass(10);
  const [total, duration] = world.probes.collect();
  const labels = { container: 'app', pod: 'p', namespace: 'n', pod_uid: 'u', result: 'successful' };
  expect(total?.samples).toEqual([
    { labels: { ...labels, probe_type: 'Readiness' }, value: 2 },
    { labels: { ...labels, probe_type: 'Liveness' }, value: 2 },
  ]);
  expect(duration?.samples.filter(({ suffix }) => suffix === '_count').map(({ value }) => value)).toEqual([2, 2]);
});

test('spreads the first probes over their period after the start of the agent', async () => {
  const world = aWorld();
  world.statuses = [running('1', START)];
  const late = new ContainerProbes({
    clock: world.clock,
    random: () => 0.5,
    podStatus: () => ({ containerStatuses: world.statuses ?? [] }),
    http: { get: () => Promise.reject(new Error('no HTTP')) },
    tcp: { connect: async () => ((world.probed += 1), succeeded('')) },
    grpc: { check: async () => failed('') },
    runtime: { runInContainer: () => Promise.reject(new Error('no exec')) },
    events: { event: () => undefined },
    updated: () => undefined,
  });
  late.addPod(aPod([aContainer({ livenessProbe: PROBE })]));
  await world.pass(4);
  expect(world.probed).toBe(0);
  await world.pass(1);
  expect(world.probed).toBe(1);
});

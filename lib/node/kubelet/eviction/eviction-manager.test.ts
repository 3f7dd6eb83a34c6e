import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { PodStats, Summary } from '../stats/summary.ts';
import { GI, MI } from '../testing/facts.ts';
import { aPod } from '../testing/pods.ts';
import { StepClock } from '../testing/step-clock.ts';
import { EvictionManager, type EvictionSettings } from './eviction-manager.ts';
import { EvictionMetrics } from './metrics.ts';
import { parseThresholdConfig } from './parse-threshold-config.ts';

const THRESHOLDS = {
  enforceNodeAllocatable: [],
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%' },
  evictionSoft: { 'memory.available': '500Mi' },
  evictionSoftGracePeriod: { 'memory.available': '30s' },
  evictionMinimumReclaim: { 'nodefs.available': '1Gi' },
};

let clock = new StepClock();
let steps: string[];
let statuses: Map<string, PodStatus>;
let pods: Pod[];
let stats: PodStats[];
/** Available memory in bytes. */
let memory: number;
let disk: number;
let collected: () => void;
let areReady: () => boolean;

beforeEach(() => {
  clock = new StepClock();
  [steps, statuses, pods, stats] = [[], new Map(), [], []];
  [memory, disk] = [GI, 50 * GI];
  collected = () => undefined;
  areReady = () => true;
});

const now = (): string => new Date(clock.now()).toISOString();

const summary = (): Summary => ({
  node: {
    nodeName: 'n1',
    startTime: now(),
    memory: { time: now(), availableBytes: BigInt(memory), workingSetBytes: BigInt(4 * GI - memory) },
    fs: { time: now(), availableBytes: BigInt(disk), capacityBytes: BigInt(100 * GI) },
  },
  pods: stats,
});

/** Adds a pod that uses this many bytes of memory. */
function add(name: string, used: number, spec: Partial<Pod['spec']> = {}, more: Partial<PodStats> = {}): Pod {
  const pod = aPod(name, { spec });
  pods.push(pod);
  const own = { time: now(), workingSetBytes: BigInt(used) };
  stats.push({
    podRef: { name, namespace: 'default', uid: `uid-${name}` },
    startTime: now(),
    memory: own,
    containers: [{ name: 'app', startTime: now(), memory: own }],
    ...more,
  });
  return pod;
}

const manager = (settings: Partial<EvictionSettings> = {}): EvictionManager =>
  new EvictionManager(
    {
      thresholds: parseThresholdConfig(THRESHOLDS),
      pressureTransitionPeriod: 300_000,
      maxPodGracePeriodSeconds: 60,
      localStorageCapacityIsolation: true,
      ...settings,
    },
    {
      clock,
      recorder: {
        event: ({ kind = 'Pod', metadata }, type, reason, message) =>
          void steps.push(`${type} ${reason} ${kind} ${metadata.name}: ${message}`),
      },
      node: { kind: 'Node', metadata: { name: 'n1' } },
      metrics: new EvictionMetrics(),
      summary: async () => summary(),
      diskLayout: async () => ({ dedicatedImageFs: false, splitContainerFs: false }),
      pods: () => pods,
      areSourcesReady: () => areReady(),
      isCleanedUp: () => true,
      async killPod(pod, { gracePeriod, evict, podStatus }) {
        steps.push(`kill ${pod.metadata.name} ${gracePeriod} ${evict}`);
        const status: PodStatus = { phase: 'Running' };
        podStatus?.(status);
        statuses.set(pod.metadata.name ?? '', status);
        pods = pods.filter((one) => one !== pod);
      },
      reclaim: {
        containers: async () => void steps.push('collect containers'),
        async images() {
          steps.push('collect images');
          collected();
        },
      },
      conditionsChanged: () => steps.push('conditions changed'),
      report: (message, error) => steps.push(`${message} ${String(error)}`),
    },
  );

test('evicts no pod and admits all pods on a node without pressure', async () => {
  add('a', GI);
  const evictions = manager();
  expect(await evictions.synchronize()).toEqual([]);
  expect(steps).toEqual([]);
  expect(evictions.pressures()).toEqual({ memory: false, disk: false, pid: false });
  expect(await evictions.admit(aPod('b'))).toEqual({ admit: true });
});

test('evicts the first pod of the ranking at once for a hard threshold', async () => {
  add('small', 100 * MI);
  const big = add('big', 300 * MI);
  memory = 50 * MI;
  const message =
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ' +
    'Container app was using 300Mi, request is 0, has larger consumption of memory. ';
  expect(await manager().synchronize()).toEqual([big]);
  expect(steps).toEqual([
    'conditions changed',
    'Warning EvictionThresholdMet Node n1: Attempting to reclaim memory',
    `Warning Evicted Pod big: ${message}`,
    'kill big 1 true',
  ]);
  expect(statuses.get('big')).toEqual({
    phase: 'Failed',
    reason: 'Evicted',
    message,
    conditions: [
      {
        type: 'DisruptionTarget',
        observedGeneration: 1,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'TerminationByKubelet',
        message,
      },
    ],
  });
});

test('skips a critical pod and evicts the next one', async () => {
  add('critical', 900 * MI, { priority: 2_000_000_000 });
  const plain = add('plain', 0, { priority: 2_000_000_000 - 1 });
  memory = MI;
  expect(await manager().synchronize()).toEqual([plain]);
});

describe('a soft eviction threshold', () => {
  test("evicts a pod after the threshold's grace period, with the pod's own grace period", async () => {
    add('a', 600 * MI, { terminationGracePeriodSeconds: 20 });
    memory = 400 * MI;
    const evictions = manager();
    expect(await evictions.synchronize()).toEqual([]);
    expect(evictions.pressures().memory).toBe(true);
    await clock.sleep(29_999);
    expect(await evictions.synchronize()).toEqual([]);
    await clock.sleep(1000);
    expect(await evictions.synchronize()).toHaveLength(1);
    expect(steps.at(-1)).toBe('kill a 20 true');
  });

  test("limits the pod's grace period to the configured maximum", async () => {
    add('a', 600 * MI, { terminationGracePeriodSeconds: 3600 });
    memory = 400 * MI;
    const evictions = manager();
    await evictions.synchronize();
    await clock.sleep(30_000);
    await evictions.synchronize();
    expect(steps.at(-1)).toBe('kill a 60 true');
  });

  test('restarts the grace period after the threshold was not met', async () => {
    add('a', 600 * MI);
    memory = 400 * MI;
    const evictions = manager();
    await evictions.synchronize();
    await clock.sleep(20_000);
    memory = GI;
    await evictions.synchronize();
    await clock.sleep(20_000);
    memory = 400 * MI;
    expect(await evictions.synchronize()).toEqual([]);
  });
});

test('keeps a condition for the transition period', async () => {
  memory = 50 * MI;
  const evictions = manager();
  await evictions.synchronize();
  memory = GI;
  await clock.sleep(299_999);
  await evictions.synchronize();
  expect(evictions.pressures().memory).toBe(true);
  await clock.sleep(1);
  await evictions.synchronize();
  expect(evictions.pressures().memory).toBe(false);
  expect(steps.filter((step) => step === 'conditions changed')).toHaveLength(2);
});

test('evicts no second pod without new statistics', async () => {
  add('a', 1);
  add('b', 2);
  memory = 50 * MI;
  const evictions = manager();
  expect(await evictions.synchronize()).toHaveLength(1);
  expect(await evictions.synchronize()).toHaveLength(0);
});

describe('a node under disk pressure', () => {
  test('collects containers and images, and evicts pods if that is not enough', async () => {
    add('a', 0);
    disk = 5 * GI;
    expect(await manager().synchronize()).toHaveLength(1);
    expect(steps.slice(2, 4)).toEqual(['collect containers', 'collect images']);
    expect(statuses.get('a')?.message).toBe(
      'The node was low on resource: ephemeral-storage. Threshold quantity: 10737418400, available: 5Gi. ',
    );
  });

  test('evicts no pod if images free the minimum reclaim', async () => {
    add('a', 0);
    disk = 5 * GI;
    collected = () => (disk = 12 * GI);
    const evictions = manager();
    expect(await evictions.synchronize()).toEqual([]);
    expect(evictions.pressures().disk).toBe(true);
  });

  test('evicts a pod until the minimum reclaim is available after the threshold was met', async () => {
    disk = 5 * GI;
    const evictions = manager();
    await evictions.synchronize();
    disk = 10.5 * GI;
    await clock.sleep(10_000);
    add('a', 0);
    expect(await evictions.synchronize()).toHaveLength(1);
  });
});

describe('local storage limits', () => {
  const limited = (limit: string) => [{ name: 'app', resources: { limits: { 'ephemeral-storage': limit } } }];
  const use = (bytes: number) => ({ time: now(), usedBytes: BigInt(bytes) });
  const used = (root: number, logs: number) => ({ name: 'app', startTime: now(), rootfs: use(root), logs: use(logs) });

  test.each<readonly [string, Partial<Pod['spec']>, Partial<PodStats>, string | undefined]>([
    [
      'an emptyDir over its limit',
      { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }] },
      { volume: [{ time: '', name: 'v', usedBytes: BigInt(MI) + 1n }] },
      'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
    ],
    [
      'an emptyDir at its limit',
      { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }] },
      { volume: [{ time: '', name: 'v', usedBytes: BigInt(MI) }] },
      undefined,
    ],
    [
      "a pod over the sum of its containers' limits",
      { containers: limited('10Mi') },
      { 'ephemeral-storage': { time: '', usedBytes: BigInt(11 * MI) } },
      'Pod ephemeral local storage usage exceeds the total limit of containers 10Mi. ',
    ],
    [
      'a container over its limit',
      { containers: limited('10Mi') },
      { containers: [used(6 * MI, 5 * MI)] },
      'Container app exceeded its local ephemeral storage limit "10Mi". ',
    ],
    [
      'a container within its limit',
      { containers: limited('10Mi') },
      { containers: [used(5 * MI, 5 * MI)] },
      undefined,
    ],
  ])('checks the local storage of %s', async (_, spec, more, message) => {
    add('a', 0, spec, more);
    const evicted = await manager({ thresholds: [] }).synchronize();
    expect(evicted).toHaveLength(message === undefined ? 0 : 1);
    expect(statuses.get('a')?.message).toBe(message);
    expect(statuses.get('a')?.conditions).toBeUndefined();
  });

  test('ignores the limits if local storage isolation is off', async () => {
    add('a', 0, { containers: limited('1') }, { 'ephemeral-storage': use(2) });
    expect(await manager({ localStorageCapacityIsolation: false }).synchronize()).toEqual([]);
  });
});

describe('admission under pressure', () => {
  const burstable = [{ name: 'app', resources: { requests: { memory: '1Mi' } } }];
  const toleration = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

  test.each<readonly [string, string, Partial<Pod['spec']>, string | undefined]>([
    ['memory', 'a pod without requests', {}, 'The node had condition: [MemoryPressure]. '],
    ['memory', 'a pod with requests', { containers: burstable }, undefined],
    ['memory', 'a pod that tolerates the pressure', { tolerations: [toleration] }, undefined],
    ['memory', 'a critical pod', { priority: 2_000_000_000 }, undefined],
    ['disk', 'a pod with requests', { containers: burstable }, 'The node had condition: [DiskPressure]. '],
    ['disk', 'a critical pod', { priority: 2_000_000_000 }, undefined],
    [
      'both',
      'a pod with requests',
      { containers: burstable },
      'The node had condition: [MemoryPressure DiskPressure]. ',
    ],
  ])('checks admission under pressure (%s) of %s', async (kind, _, spec, message) => {
    if (kind !== 'disk') memory = 50 * MI;
    if (kind !== 'memory') disk = GI;
    const evictions = manager();
    await evictions.synchronize();
    expect(await evictions.admit(aPod('b', { spec }))).toEqual(
      message === undefined ? { admit: true } : { admit: false, reason: 'Evicted', message },
    );
  });
});

test('checks every ten seconds, and continues after a pod is cleaned up or a failure', async () => {
  add('a', 0);
  memory = 50 * MI;
  const ending = new AbortController();
  clock = new StepClock((sleeps) => {
    memory = GI;
    if (sleeps === 3) ending.abort();
  });
  await manager().run(ending.signal);
  expect(clock.sleeps).toEqual([1000, 10_000, 10_000]);
});

test('waits for the admission of a pod from before the start, and then evicts it instead of rejecting it', async () => {
  memory = 50 * MI;
  const ending = new AbortController();
  areReady = () => pods.length > 0;
  clock = new StepClock((sleeps) => {
    if (sleeps === 2) add('a', 0);
    if (sleeps === 3) ending.abort();
  });
  const evictions = manager();
  await evictions.run(ending.signal);
  expect(clock.sleeps.slice(0, 2)).toEqual([100, 100]);
  expect(steps).toContain('kill a 1 true');
});

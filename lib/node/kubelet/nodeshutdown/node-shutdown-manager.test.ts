import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { aPod } from '../testing/pods.ts';
import { StepClock } from '../testing/step-clock.ts';
import { NodeShutdownManager, type NodeShutdownPorts } from './node-shutdown-manager.ts';
import { groupByPriority, type ShutdownConfig, shutdownGracePeriods } from './shutdown-groups.ts';
import { ShutdownState } from './shutdown-state.ts';

const OFF: ShutdownConfig = {
  shutdownGracePeriod: 0,
  shutdownGracePeriodCriticalPods: 0,
  shutdownGracePeriodByPodPriority: [],
};
const THIRTY: ShutdownConfig = { ...OFF, shutdownGracePeriod: 30_000, shutdownGracePeriodCriticalPods: 10_000 };

describe('periods of a shutdown', () => {
  const period = (priority: number, shutdownGracePeriodSeconds: number) => ({ priority, shutdownGracePeriodSeconds });

  test.each<readonly [string, Partial<ShutdownConfig>, readonly (readonly [number, number])[]]>([
    ['without settings', {}, []],
    [
      'for all and for critical pods',
      THIRTY,
      [
        [0, 20],
        [2_000_000_000, 10],
      ],
    ],
    ['with a longer one for critical pods than for all', { ...THIRTY, shutdownGracePeriodCriticalPods: 40_000 }, []],
    [
      'sorted by priority',
      { shutdownGracePeriodByPodPriority: [period(1000, 60), period(0, 30)] },
      [
        [0, 30],
        [1000, 60],
      ],
    ],
  ])('computes the periods %s', (_, config, expected) => {
    expect(shutdownGracePeriods({ ...OFF, ...config })).toEqual(expected.map(([at, seconds]) => period(at, seconds)));
  });

  test.each([
    [-5, 0],
    [0, 0],
    [9, 0],
    [10, 10],
    [11, 10],
    [99, 10],
    [100, 100],
    [2_000_000_000, 100],
  ])('assigns a pod of priority %i to the group %i', (priority, expected) => {
    const periods = [period(0, 1), period(10, 1), period(100, 1)];
    const groups = groupByPriority(periods, [aPod('a', { spec: { priority } })]);
    expect(groups.find(({ pods }) => pods.length > 0)?.priority).toBe(expected);
  });
});

let steps: string[];
let statuses: Map<string, PodStatus>;
let file: string | undefined;
let clock: StepClock;
/** logind's delay in milliseconds. */
let delay: number;
let ending: AbortController;
/** Whether the period of a group ends before its pods have terminated. */
let isLate: boolean;

beforeEach(() => {
  [steps, statuses, file, delay] = [[], new Map(), undefined, 5000];
  ending = new AbortController();
  isLate = false;
  clock = new StepClock(() => {
    const last = clock.sleeps.at(-1) ?? 0;
    if (last === 1000) ending.abort();
    return last < 10_000 || isLate ? undefined : new Promise(() => undefined);
  });
});

const state = new ShutdownState({
  read: async () => file,
  write: async (text) => void (file = text),
});

/** A manager on a machine whose logind sends these signals and then ends. */
function managerOf(
  signals: readonly boolean[],
  { pods = [], ...ports }: Partial<Omit<NodeShutdownPorts, 'pods'>> & { readonly pods?: readonly Pod[] } = {},
  config = THIRTY,
): NodeShutdownManager {
  let locks = 0;
  return new NodeShutdownManager(config, {
    clock,
    logind: {
      currentInhibitDelay: async () => delay,
      overrideInhibitDelay: async (milliseconds) => {
        steps.push(`delay ${milliseconds}`);
        delay = milliseconds;
      },
      async inhibitShutdown() {
        const name = `lock ${++locks}`;
        steps.push(name);
        return { release: () => void steps.push(`release ${name}`) };
      },
      async *monitorShutdown() {
        yield* signals;
      },
    },
    recorder: { event: (_, type, reason, message) => void steps.push(`${type} ${reason} ${message}`) },
    node: { kind: 'Node', metadata: { name: 'n1' } },
    state,
    pods: () => pods,
    async killPod({ metadata: { name = '' } }, { gracePeriod, evict, podStatus }) {
      const status: PodStatus = { phase: name === 'done' ? 'Succeeded' : 'Running' };
      podStatus?.(status);
      statuses.set(name, status);
      steps.push(`kill ${name} ${gracePeriod} ${evict}`);
    },
    waitForUnmount: async ({ metadata }) => void steps.push(`unmounted ${metadata.name}`),
    statusChanged: () => void steps.push('status changed'),
    report: (message, error) => void steps.push(`${message}: ${String(error)}`),
    ...ports,
  });
}

const SHUTDOWN = 'Normal Shutdown Shutdown manager detected shutdown';
const MESSAGE = 'Pod was terminated in response to imminent node shutdown.';

test('terminates pods by priority, unmounts the volumes of each group before the next, and then permits the shutdown', async () => {
  const pods = [
    aPod('critical', { spec: { priority: 2_000_000_000, terminationGracePeriodSeconds: 60 } }),
    aPod('short', { spec: { terminationGracePeriodSeconds: 3 } }),
    aPod('done', { spec: { terminationGracePeriodSeconds: 30 } }),
  ];
  const manager = managerOf([true], { pods });
  await manager.run(ending.signal);
  expect(steps).toEqual([
    'delay 30000',
    'lock 1',
    `${SHUTDOWN} event`,
    'status changed',
    'kill short 3 false',
    'kill done 20 false',
    'unmounted short',
    'unmounted done',
    'kill critical 10 false',
    'unmounted critical',
    'release lock 1',
  ]);
  expect(statuses.get('short')).toMatchObject({ phase: 'Failed', reason: 'Terminated', message: MESSAGE });
  expect(statuses.get('short')?.conditions).toMatchObject([
    { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message: MESSAGE },
  ]);
  expect(statuses.get('done')?.phase).toBe('Succeeded');
  expect(manager.fault()).toBe('node is shutting down');
  expect(await manager.admit()).toEqual({
    admit: false,
    reason: 'NodeShutdown',
    message: 'Pod was rejected as the node is shutting down.',
  });
});

test('acquires a new lock after a cancelled shutdown and admits pods again', async () => {
  const manager = managerOf([true, false]);
  await manager.run(ending.signal);
  expect(steps.slice(-5)).toEqual([
    'release lock 1',
    `${SHUTDOWN} cancellation`,
    'status changed',
    'lock 2',
    'release lock 2',
  ]);
  expect(manager.fault()).toBeUndefined();
  expect(await manager.admit()).toEqual({ admit: true });
});

test("waits for a pod that does not terminate only until the end of its group's period", async () => {
  isLate = true;
  const pods = [aPod('stuck'), aPod('critical', { spec: { priority: 2_000_000_000 } })];
  const killPod: NodeShutdownPorts['killPod'] = ({ metadata }) => {
    steps.push(`kill ${metadata.name}`);
    return metadata.name === 'stuck' ? new Promise<never>(() => undefined) : Promise.resolve();
  };
  await managerOf([true], { pods, killPod }).run(ending.signal);
  expect(clock.sleeps).toContain(20_000);
  expect(steps).toContain('kill critical');
  expect(steps).not.toContain('unmounted stuck');
  expect(steps.at(-1)).toBe('release lock 1');
});

test('stores the times of the last shutdown and exposes them as metrics', async () => {
  await managerOf([true]).run(ending.signal);
  expect(JSON.parse(file ?? '')).toEqual({
    startTime: '2026-01-01T00:00:00.000Z',
    endTime: '2026-01-01T00:00:00.000Z',
  });
  const seen = new ShutdownState({ read: async () => file, write: async () => undefined });
  await seen.load();
  expect(await expose([seen])).toContain('kubelet_graceful_shutdown_start_time_seconds 1767225600\n');
});

test('acquires no lock without a period', async () => {
  await managerOf([true], {}, OFF).run(new AbortController().signal);
  expect(steps).toEqual([]);
});

test('reports a missing logind once and continues without it', async () => {
  const gone = (): Promise<never> => Promise.reject(new Error('no bus'));
  const logind = {
    currentInhibitDelay: gone,
    overrideInhibitDelay: gone,
    inhibitShutdown: gone,
    monitorShutdown: () => expect.unreachable(),
  };
  const manager = managerOf([], { logind });
  await manager.run(new AbortController().signal);
  expect(steps).toEqual(['Failed to start node shutdown manager: Error: no bus']);
  expect(await manager.admit()).toEqual({ admit: true });
});

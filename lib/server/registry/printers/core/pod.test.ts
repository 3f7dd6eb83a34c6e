import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { pod } from './pod.ts';

const NOW = new Date('2024-01-01T01:00:00Z');
const RUNNING = { running: { startedAt: '2024-01-01T00:00:00Z' } };

const aPod = (status: JsonObject, { spec = {}, metadata = {} }: { spec?: JsonObject; metadata?: JsonObject } = {}) =>
  decodedAs(PODS, {
    metadata: { name: 'p', creationTimestamp: '2024-01-01T00:00:00Z', ...metadata },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec },
    status,
  });

const running = (name: string): JsonObject => ({ name, ready: true, restartCount: 0, state: RUNNING });
const waiting = (name: string, reason: string): JsonObject => ({ name, ready: false, state: { waiting: { reason } } });
const ended = (name: string, terminated: JsonObject): JsonObject => ({ name, ready: false, state: { terminated } });
const restarted = (restartCount: number, finishedAt: string): JsonObject => ({
  ...running('a'),
  restartCount,
  lastState: { terminated: { exitCode: 1, finishedAt } },
});
const condition = (type: string, status = 'True', reason = ''): JsonObject => ({ type, status, reason });

const shown = (object: Pod): Json[] => pod.cells(object, NOW).slice(1, 5);

const INIT = { spec: { initContainers: [{ name: 'x' }, { name: 'y' }] } };
const SIDECAR = { spec: { initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'y' }] } };
const started = (name: string): JsonObject => ({ ...running(name), started: true });
const done = (name: string): JsonObject => ended(name, { exitCode: 0, reason: 'Completed' });

describe('the printer of pods', () => {
  test.each<[string, JsonObject, string, string]>([
    ['its phase', { phase: 'Pending' }, '0/2', 'Pending'],
    ['the reason of its status before its phase', { phase: 'Failed', reason: 'Evicted' }, '0/2', 'Evicted'],
    [
      'that it waits for scheduling gates',
      { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'SchedulingGated')] },
      '0/2',
      'SchedulingGated',
    ],
    [
      'the number of ready containers',
      { phase: 'Running', containerStatuses: [running('a'), running('b')] },
      '2/2',
      'Running',
    ],
    [
      'why a container waits',
      { phase: 'Running', containerStatuses: [running('a'), waiting('b', 'CrashLoopBackOff')] },
      '1/2',
      'CrashLoopBackOff',
    ],
    [
      'the reason of the first of several waiting containers',
      { phase: 'Pending', containerStatuses: [waiting('a', 'ErrImagePull'), waiting('b', 'ContainerCreating')] },
      '0/2',
      'ErrImagePull',
    ],
    [
      'the reason of a termination',
      { phase: 'Failed', containerStatuses: [ended('a', { exitCode: 137, reason: 'OOMKilled' })] },
      '0/2',
      'OOMKilled',
    ],
    [
      'the exit code of a termination',
      { phase: 'Failed', containerStatuses: [ended('a', { exitCode: 3 })] },
      '0/2',
      'ExitCode:3',
    ],
    [
      'the signal of a termination',
      { phase: 'Failed', containerStatuses: [ended('a', { exitCode: 137, signal: 9 })] },
      '0/2',
      'Signal:9',
    ],
    ['that it completed', { phase: 'Succeeded', containerStatuses: [done('a'), done('b')] }, '0/2', 'Completed'],
    [
      'a failed container after a completed one',
      { phase: 'Failed', containerStatuses: [done('a'), ended('b', { exitCode: 1, reason: 'Error' })] },
      '0/2',
      'Error',
    ],
    [
      'that it runs although a container completed',
      { phase: 'Running', conditions: [condition('Ready')], containerStatuses: [done('a'), running('b')] },
      '1/2',
      'Running',
    ],
    [
      'that it is not ready although a container completed',
      { phase: 'Running', conditions: [condition('Ready', 'False')], containerStatuses: [done('a'), running('b')] },
      '1/2',
      'NotReady',
    ],
  ])('a pod shows %s', (_, status, ready, reason) => expect(shown(aPod(status)).slice(0, 2)).toEqual([ready, reason]));

  test.each<[string, { spec: JsonObject }, JsonObject[], JsonObject[], string, string]>([
    ['the progress of init containers', INIT, [done('x'), { name: 'y', state: RUNNING }], [], '0/2', 'Init:1/2'],
    [
      'no reason for an init container that is about to start',
      INIT,
      [waiting('x', 'PodInitializing')],
      [],
      '0/2',
      'Init:0/2',
    ],
    ['why an init container waits', INIT, [waiting('x', 'ImagePullBackOff')], [], '0/2', 'Init:ImagePullBackOff'],
    ['why an init container failed', INIT, [ended('x', { exitCode: 1, reason: 'Error' })], [], '0/2', 'Init:Error'],
    ['the exit code of an init container', INIT, [ended('x', { exitCode: 4 })], [], '0/2', 'Init:ExitCode:4'],
    ['the signal of an init container', INIT, [ended('x', { exitCode: 137, signal: 9 })], [], '0/2', 'Init:Signal:9'],
    [
      'its main containers after its init containers',
      INIT,
      [done('x'), done('y')],
      [waiting('a', 'Bad')],
      '0/2',
      'Bad',
    ],
    ['sidecars as part of its containers', SIDECAR, [started('s'), done('y')], [running('a')], '2/3', 'Pending'],
    ['a sidecar that has not started', SIDECAR, [running('s')], [], '0/3', 'Init:0/2'],
  ])('an initializing pod shows %s', (_, { spec }, initContainerStatuses, containerStatuses, ready, reason) => {
    const object = aPod({ phase: 'Pending', initContainerStatuses, containerStatuses }, { spec });
    expect(shown(object).slice(0, 2)).toEqual([ready, reason]);
  });

  test('an initialized pod ignores restarted init containers', () => {
    const status = {
      phase: 'Running',
      conditions: [condition('Initialized')],
      initContainerStatuses: [waiting('x', 'CrashLoopBackOff')],
      containerStatuses: [running('a'), waiting('b', 'Bad')],
    };
    expect(shown(aPod(status, INIT)).slice(0, 2)).toEqual(['1/2', 'Bad']);
  });

  test.each<[string, JsonObject, string]>([
    ['that it is terminating', { phase: 'Running' }, 'Terminating'],
    ['an unknown state on a lost node', { phase: 'Running', reason: 'NodeLost' }, 'Unknown'],
    ['its completion if it already completed', { phase: 'Succeeded', containerStatuses: [done('a')] }, 'Completed'],
  ])('a deleted pod shows %s', (_, status, reason) => {
    const metadata = { deletionTimestamp: '2024-01-01T00:30:00Z' };
    expect(shown(aPod(status, { metadata }))[1]).toBe(reason);
  });

  test.each<[string, JsonObject, string]>([
    ['no restarts', { containerStatuses: [running('a')] }, '0'],
    ['restarts without a time', { containerStatuses: [{ ...running('a'), restartCount: 2 }] }, '2'],
    [
      'restarts with the latest time',
      { containerStatuses: [restarted(2, '2024-01-01T00:50:00Z'), restarted(1, '2024-01-01T00:55:00Z')] },
      '3 (5m ago)',
    ],
    [
      'no restarts of completed init containers',
      { initContainerStatuses: [{ ...done('y'), restartCount: 7 }], containerStatuses: [] },
      '0',
    ],
    [
      'restarts of unfinished init containers',
      { initContainerStatuses: [{ ...waiting('y', 'Bad'), restartCount: 7 }], containerStatuses: [] },
      '7',
    ],
    [
      'restarts of sidecars',
      {
        initContainerStatuses: [{ ...started('s'), restartCount: 4 }],
        containerStatuses: [restarted(1, '2024-01-01T00:50:00Z')],
      },
      '5 (10m ago)',
    ],
  ])('a pod shows %s', (_, status, restarts) => expect(shown(aPod(status, SIDECAR))[2]).toBe(restarts));

  test('shows addresses, nodes and gates in wide columns', () => {
    const status = {
      podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
      nominatedNodeName: 'n2',
      conditions: [condition('x/ready'), condition('y/ready', 'False')],
    };
    const gates = ['x/ready', 'y/ready', 'z/ready'].map((conditionType) => ({ conditionType }));
    const object = aPod(status, { spec: { nodeName: 'n1', readinessGates: gates } });
    expect(pod.cells(object, NOW).slice(5)).toEqual(['10.0.0.1', 'n1', 'n2', '1/3']);
    expect(pod.cells(aPod({}), NOW).slice(4)).toEqual(['60m', '<none>', '<none>', '<none>', '<none>']);
  });

  test.each([
    ['Running', []],
    ['Succeeded', ['Succeeded']],
    ['Failed', ['Failed']],
  ])('the row of a pod in the phase %s has the conditions %j', (phase, reasons) => {
    expect(pod.conditions?.(aPod({ phase })).map(({ reason }) => reason)).toEqual(reasons);
  });
});

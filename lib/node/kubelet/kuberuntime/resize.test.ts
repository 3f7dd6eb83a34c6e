import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { someSettings } from '../testing/runtime-config.ts';
import { addResize, draftActions, type PodActionsDraft } from './pod-actions.ts';
import { decreasingMemoryLimits, givenResources, inOrder, updateResourcesRequest } from './resize.ts';

const of = (cpu: string, memory: string): JsonObject => ({ requests: { cpu, memory }, limits: { cpu, memory } });

/** The actions for containers whose resources change from `before` to `now`. */
function resizeOf(
  containers: Readonly<Record<string, { before: JsonObject; now: JsonObject; policy?: JsonObject[] }>>,
  spec: JsonObject = {},
): PodActionsDraft {
  const list = (pick: 'before' | 'now') =>
    Object.entries(containers).map(([name, one]): JsonObject => {
      return { name, resources: one[pick], resizePolicy: one.policy ?? [] };
    });
  const before = podOf({ containers: list('before') });
  const pod = podOf({ containers: list('now'), ...spec });
  const actuated = {
    podResources: () => undefined,
    containerResources: (_: string, name: string) => containerOf(before, name).resources,
  };
  const actions = draftActions({ createSandbox: false, sandboxID: 's', attempt: 0 });
  for (const container of pod.spec.containers ?? [])
    addResize({ pod, actuated }, actions, { container, id: `id-${container.name}` });
  return actions;
}

const names = ({ resizes, containersToKill }: PodActionsDraft) => ({
  memory: inOrder(resizes, 'memory').map(({ container }) => container.name),
  cpu: inOrder(resizes, 'cpu').map(({ container }) => container.name),
  restart: containersToKill.map(({ name }) => name),
});

describe('resizes of containers', () => {
  const nothing = { memory: [], cpu: [], restart: [] };

  test('resizes no container without a change', () => {
    expect(names(resizeOf({ a: { before: of('1', '1Gi'), now: of('1000m', '1024Mi') } }))).toEqual(nothing);
  });

  test('orders decreases before increases', () => {
    const { memory, cpu } = names(
      resizeOf({
        more: { before: of('1', '1Gi'), now: of('2', '2Gi') },
        less: { before: of('2', '2Gi'), now: of('1', '1Gi') },
        mixed: { before: of('1', '2Gi'), now: of('2', '1Gi') },
      }),
    );
    expect(memory).toEqual(['mixed', 'less', 'more']);
    expect(cpu).toEqual(['less', 'more', 'mixed']);
  });

  test('compares requests if limits are unchanged', () => {
    const limits = { cpu: '4', memory: '4Gi' };
    const before = { limits, requests: { cpu: '1', memory: '2Gi' } };
    const now = { limits, requests: { cpu: '2', memory: '1Gi' } };
    expect(names(resizeOf({ a: { before, now } }))).toEqual({ memory: ['a'], cpu: ['a'], restart: [] });
  });

  test('resizes all containers with unknown resources', () => {
    expect(names(resizeOf({ a: { before: {}, now: of('1', '1Gi') } }))).toEqual({
      memory: ['a'],
      cpu: ['a'],
      restart: [],
    });
  });

  test("uses the pod's limit for a container without one", () => {
    const spec = { resources: { limits: { cpu: '2' } } };
    expect(names(resizeOf({ a: { before: {}, now: {} } }, spec))).toEqual({ ...nothing, cpu: ['a'] });
  });
});

test.each([
  ['memory', of('1', '2Gi'), ['a']],
  ['memory', of('2', '1Gi'), []],
  ['cpu', of('2', '1Gi'), ['a']],
  ['cpu', of('1', '2Gi'), []],
])('checks for a restart policy of %s and resources %j which containers restart: %j', (resourceName, now, restart) => {
  const policy = [{ resourceName, restartPolicy: 'RestartContainer' }];
  const resize = resizeOf({ a: { before: of('1', '1Gi'), now, policy } });
  expect(names(resize).restart).toEqual(restart);
  expect(resize.updatePodResources).toBe(restart.length > 0);
  expect(resize.resizes).toHaveLength(1 - restart.length);
  if (restart.length > 0) expect(resize.containersToKill[0]?.message).toBe('Container a resize requires restart');
});

test('restarts for a request that changes together with its limit', () => {
  const policy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
  const before = { requests: { memory: '1Gi' }, limits: { memory: '4Gi' } };
  const now = { requests: { memory: '2Gi' }, limits: { memory: '4Gi' } };
  expect(names(resizeOf({ a: { before, now, policy } })).restart).toEqual(['a']);
});

test("uses the pod's limits for a container without limits", () => {
  const container = { name: 'a', resources: { limits: { cpu: '1' }, requests: { cpu: '1' } } };
  const pod = podOf({ containers: [container], resources: { limits: { cpu: '2', memory: '1Gi' } } });
  expect(givenResources(pod, containerOf(pod, 'a'))).toEqual({
    limits: { cpu: '1', memory: '1Gi' },
    requests: { cpu: '1' },
  });
});

describe('an update request', () => {
  const pod = podOf({ containers: [{ name: 'a', resources: of('2', '2Gi') }] });
  const [memory] = resizeOf({ a: { before: of('1', '1Gi'), now: of('2', '2Gi') } }).resizes;

  test.each([
    ['memory', { cpuShares: 1024n, cpuQuota: 100_000n, memoryLimitInBytes: 2_147_483_648n }],
    ['cpu', { cpuShares: 2048n, cpuQuota: 200_000n, memoryLimitInBytes: 2_147_483_648n }],
  ] as const)('leaves resources that change later out of the request for %s', (resource, linux) => {
    if (memory === undefined) throw new TypeError('no resize');
    const request = updateResourcesRequest(pod, memory, { resource, settings: someSettings() });
    expect(request).toMatchObject({ containerId: 'id-a', linux });
  });
});

test.each([
  [of('1', '2Gi'), of('1', '1Gi'), 1_073_741_824n],
  [{}, of('1', '1Gi'), 1_073_741_824n],
  [of('1', '1Gi'), of('1', '2Gi'), undefined],
  [of('1', '1Gi'), { limits: { cpu: '1' } }, undefined],
])('returns the decreased memory limit from %j to %j', (before, now, limit) => {
  expect(decreasingMemoryLimits(resizeOf({ a: { before, now } }).resizes).get('a')).toBe(limit);
});

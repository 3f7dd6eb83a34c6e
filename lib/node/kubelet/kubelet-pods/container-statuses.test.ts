import { expect, test } from 'vitest';
import type { ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimeContainerStatus } from '../container/runtime.ts';
import { aContainer, aPod, runtimeStatus } from '../testing/pods.ts';
import { containerStatuses, type StartFailure } from './container-statuses.ts';

interface Case {
  readonly pod?: Pod;
  readonly actual?: readonly RuntimeContainerStatus[];
  readonly old?: ContainerStatus;
  readonly failure?: StartFailure;
}

/** The status of the container `app`. */
function statusOf({ pod = aPod('a'), actual = [], old, failure }: Case): ContainerStatus | undefined {
  const facts = {
    pod,
    runtime: runtimeStatus(pod, actual),
    runtimeName: 'containerd',
    isPodRestarting: false,
    supportsRecursiveReadOnly: false,
    startFailure: () => failure,
  };
  const previous = old === undefined ? [] : [old];
  return containerStatuses(facts, { containers: pod.spec.containers ?? [], previous, isInit: false })[0];
}

const RAN: ContainerStatus = {
  name: 'app',
  state: { running: { startedAt: '1970-01-01T00:00:10Z' } },
  lastState: {},
  ready: true,
  started: true,
  restartCount: 1,
  image: 'busybox:latest',
  imageID: 'busybox@sha256:1',
  containerID: 'containerd://c1',
};
const UNKNOWN_END = { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null };

test('reports ContainerCreating for a container that has not started', () => {
  expect(statusOf({})).toEqual({
    name: 'app',
    state: { waiting: { reason: 'ContainerCreating' } },
    lastState: {},
    ready: false,
    restartCount: 0,
    image: 'busybox',
    imageID: '',
  });
});

test('reports PodInitializing for a container that waits for init containers', () => {
  const pod = aPod('a', { spec: { initContainers: [{ name: 'init', resources: {} }] } });
  expect(statusOf({ pod })?.state).toEqual({ waiting: { reason: 'PodInitializing' } });
});

test('reports the start time, ID, image and resources of a running container', () => {
  const resources = { limits: { memory: '64Mi' }, requests: { cpu: '100m', memory: '64Mi' } };
  const pod = aPod('a', { spec: { containers: [{ name: 'app', image: 'busybox', resources }] } });
  expect(statusOf({ pod, actual: [aContainer({ restartCount: 2 })], old: RAN })).toEqual({
    ...RAN,
    ready: false,
    restartCount: 2,
    resources,
    allocatedResources: resources.requests,
  });
});

test("reports the runtime's resources, except CPU values below the kernel's minimum", () => {
  const linux = {
    cpuPeriod: 100_000n,
    cpuQuota: 50_000n,
    cpuShares: 2n,
    memoryLimitInBytes: 33_554_432n,
    oomScoreAdj: 0n,
    cpusetCpus: '',
    cpusetMems: '',
    hugepageLimits: [],
    unified: {},
    memorySwapLimitInBytes: 0n,
  };
  const resources = { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '1m' } };
  const pod = aPod('a', { spec: { containers: [{ name: 'app', resources }] } });
  const status = statusOf({ pod, actual: [aContainer({ resources: { linux, windows: undefined } })] });
  expect(status?.resources).toEqual({ limits: { cpu: '500m', memory: '32Mi' }, requests: { cpu: '1m' } });
});

test('reports the last set resources until the allocated ones are in effect', () => {
  const resources = { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '500m', memory: '64Mi' } };
  const actuatedResources = { limits: { cpu: '500m', memory: '32Mi' }, requests: { cpu: '250m', memory: '32Mi' } };
  const pod = aPod('a', { spec: { containers: [{ name: 'app', resources }] } });
  const status = statusOf({ pod, actual: [aContainer({ actuatedResources })] });
  expect(status?.resources).toEqual(actuatedResources);
  expect(status?.allocatedResources).toEqual(resources.requests);
});

test('uses the previous attempt as the last state', () => {
  const before = aContainer({
    id: 'c0',
    state: 'exited',
    createdAt: 1000,
    finishedAt: 4000,
    exitCode: 2,
    reason: 'Error',
  });
  const status = statusOf({ actual: [before, aContainer({ restartCount: 1 })] });
  expect(status?.lastState.terminated).toEqual({
    exitCode: 2,
    reason: 'Error',
    startedAt: '1970-01-01T00:00:10Z',
    finishedAt: '1970-01-01T00:00:04Z',
    containerID: 'containerd://c0',
  });
});

test('reports no start time for a container that never started', () => {
  const pod = aPod('a', { spec: { restartPolicy: 'Never' } });
  const actual = aContainer({ state: 'exited', startedAt: 0, finishedAt: 4000, exitCode: 128, reason: 'StartError' });
  expect(statusOf({ pod, actual: [actual] })?.state.terminated).toEqual({
    exitCode: 128,
    reason: 'StartError',
    startedAt: null,
    finishedAt: '1970-01-01T00:00:04Z',
    containerID: 'containerd://c1',
  });
});

test('reports why a container could not be started, with its exit as the last state', () => {
  const failure = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
  const status = statusOf({ actual: [aContainer({ state: 'exited', exitCode: 1 })], failure });
  expect(status?.state).toEqual({ waiting: failure });
  expect(status?.lastState.terminated?.exitCode).toBe(1);
});

test('keeps the exit of a container that does not restart, regardless of failures', () => {
  const pod = aPod('a', { spec: { restartPolicy: 'Never' } });
  const status = statusOf({ pod, actual: [aContainer({ state: 'exited' })], failure: { reason: 'No', message: '' } });
  expect(status?.state.terminated?.exitCode).toBe(0);
});

test('counts a running container that disappeared as terminated and restarted', () => {
  const status = statusOf({ old: RAN });
  expect(status?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
  expect(status?.lastState.terminated).toMatchObject(UNKNOWN_END);
  expect(status?.restartCount).toBe(2);
});

test('does not count a disappeared container of a deleted pod as restarted', () => {
  const pod = aPod('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  expect(statusOf({ pod, old: RAN })?.restartCount).toBe(1);
});

test('counts a running container in an unknown state as terminated', () => {
  const status = statusOf({ actual: [aContainer({ state: 'unknown' })], old: RAN });
  expect(status?.state.terminated).toMatchObject(UNKNOWN_END);
  expect(status?.restartCount).toBe(2);
});

test('keeps a reported exit if the runtime no longer has the container', () => {
  const old = { ...RAN, state: { terminated: { exitCode: 3, startedAt: null, finishedAt: null } } };
  expect(statusOf({ old })).toEqual(old);
});

test('counts a missing init container as completed if others were created', () => {
  const pod = aPod('a', { spec: { initContainers: [{ name: 'init', resources: {} }] } });
  const facts = {
    pod,
    runtime: runtimeStatus(pod, [aContainer()]),
    runtimeName: 'containerd',
    isPodRestarting: false,
    supportsRecursiveReadOnly: false,
    startFailure: () => undefined,
  };
  const list = { containers: pod.spec.initContainers ?? [], previous: [], isInit: true };
  expect(containerStatuses(facts, list)[0]?.state.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
});

test('reports whether read-only volume mounts are recursive', () => {
  const volumeMounts = [
    { name: 'a', mountPath: '/a' },
    { name: 'b', mountPath: '/b', readOnly: true, recursiveReadOnly: 'IfPossible' },
  ];
  const pod = aPod('a', { spec: { containers: [{ name: 'app', resources: {}, volumeMounts }] } });
  expect(statusOf({ pod })?.volumeMounts).toEqual([
    { name: 'a', mountPath: '/a' },
    { name: 'b', mountPath: '/b', readOnly: true, recursiveReadOnly: 'Disabled' },
  ]);
});

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

test('a container that has not started waits for its creation', () => {
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

test('a container behind init containers waits for the pod to be initialized', () => {
  const pod = aPod('a', { spec: { initContainers: [{ name: 'init', resources: {} }] } });
  expect(statusOf({ pod })?.state).toEqual({ waiting: { reason: 'PodInitializing' } });
});

test('a running container has its time, ID, image and resources', () => {
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

test('the resources that the runtime tells are shown, but for CPU that the kernel cannot have as small', () => {
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

test('the resources that a container was given are shown while those that it was promised are not done', () => {
  const resources = { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '500m', memory: '64Mi' } };
  const actuatedResources = { limits: { cpu: '500m', memory: '32Mi' }, requests: { cpu: '250m', memory: '32Mi' } };
  const pod = aPod('a', { spec: { containers: [{ name: 'app', resources }] } });
  const status = statusOf({ pod, actual: [aContainer({ actuatedResources })] });
  expect(status?.resources).toEqual(actuatedResources);
  expect(status?.allocatedResources).toEqual(resources.requests);
});

test('the attempt before the newest is the last state', () => {
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

test('a container that ended without a start has no time of one', () => {
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

test('a container that could not be started waits with the reason, behind its end', () => {
  const failure = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
  const status = statusOf({ actual: [aContainer({ state: 'exited', exitCode: 1 })], failure });
  expect(status?.state).toEqual({ waiting: failure });
  expect(status?.lastState.terminated?.exitCode).toBe(1);
});

test('a container that is not restarted keeps its end, whatever failed before', () => {
  const pod = aPod('a', { spec: { restartPolicy: 'Never' } });
  const status = statusOf({ pod, actual: [aContainer({ state: 'exited' })], failure: { reason: 'No', message: '' } });
  expect(status?.state.terminated?.exitCode).toBe(0);
});

test('a container that ran and is gone counts as ended, and as restarted', () => {
  const status = statusOf({ old: RAN });
  expect(status?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
  expect(status?.lastState.terminated).toMatchObject(UNKNOWN_END);
  expect(status?.restartCount).toBe(2);
});

test('a container that ran and is gone from a deleted pod is not counted as restarted', () => {
  const pod = aPod('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  expect(statusOf({ pod, old: RAN })?.restartCount).toBe(1);
});

test('a container in an unknown state that ran has ended', () => {
  const status = statusOf({ actual: [aContainer({ state: 'unknown' })], old: RAN });
  expect(status?.state.terminated).toMatchObject(UNKNOWN_END);
  expect(status?.restartCount).toBe(2);
});

test('an end that was told stays, where the runtime has the container no more', () => {
  const old = { ...RAN, state: { terminated: { exitCode: 3, startedAt: null, finishedAt: null } } };
  expect(statusOf({ old })).toEqual(old);
});

test('an init container that is gone has ended well where others were created', () => {
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

test('volumes that are read-only say whether what is below them is, too', () => {
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

import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aContainer, podOf } from '../../cm/devicemanager/testing.ts';
import { containerDevices } from './container-devices.ts';
import { podResourcesServers } from './server.ts';

const sidecar = { ...aContainer('sidecar', {}), restartPolicy: 'Always' };
const running = podOf('running', [aContainer('app', {})], [aContainer('init', {}), sidecar]);
const ended = podOf('ended', [aContainer('app', {})]);
const gpu = { resourceName: 'example.com/gpu', deviceIds: ['a'], topology: { nodes: [{ ID: 1 }] } };

/** The servers of a node with a running and a terminated pod, whose container `app` has a device and CPU 3. */
function aNode() {
  const clock = new ManualClock();
  const calls: string[] = [];
  const pods: Pod[] = [running, ended];
  const servers = podResourcesServers(
    {
      pods: {
        getActivePods: () => [running],
        getPods: () => pods,
        getPodByName: (namespace, name) =>
          pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      },
      devices: {
        updateAllocatedDevices: () => void calls.push('updateAllocatedDevices'),
        getDevices: (_, name) => (name === 'app' ? [gpu] : []),
        getAllocatableDevices: () => [gpu],
      },
      cpus: { getCPUs: (_, name) => (name === 'app' ? [3] : []), getAllocatableCPUs: () => [1, 3] },
      memory: {
        getMemory: () => [],
        getAllocatableMemory: () => [{ memoryType: 'memory', size: 4096, topology: { nodes: [{ ID: 0 }] } }],
      },
      dynamicResources: { getDynamicResources: () => [] },
    },
    clock,
  );
  return { ...servers, clock, calls };
}

const { signal } = new AbortController();
const nothing = { cpuIds: [], memory: [], dynamicResources: [], devices: [] };
const resources = {
  name: 'running',
  namespace: 'default',
  containers: [
    { ...nothing, name: 'sidecar' },
    { ...nothing, name: 'app', devices: [gpu], cpuIds: [3] },
  ],
};

test('lists active pods with sidecars and containers in v1, after freeing the devices of terminated pods', async () => {
  const { v1, calls } = aNode();
  expect(await v1.list({}, signal)).toEqual({ podResources: [resources] });
  expect(calls).toEqual(['updateAllocatedDevices']);
});

test('returns one pod in v1, or an error if it does not exist', async () => {
  const { v1 } = aNode();
  expect(await v1.get({ podName: 'running', podNamespace: 'default' }, signal)).toEqual({ podResources: resources });
  await expect(v1.get({ podName: 'x', podNamespace: 'y' }, signal)).rejects.toThrow('pod x in namespace y not found');
});

test('returns the allocatable resources in v1', async () => {
  const { v1 } = aNode();
  expect(await v1.getAllocatableResources({}, signal)).toEqual({
    devices: [gpu],
    cpuIds: [1, 3],
    memory: [{ memoryType: 'memory', size: 4096, topology: { nodes: [{ ID: 0 }] } }],
  });
});

test('lists every pod in v1alpha1, with only the devices of its containers', async () => {
  const { v1alpha1 } = aNode();
  const containers = [{ name: 'app', devices: [{ resourceName: 'example.com/gpu', deviceIds: ['a'] }] }];
  expect(await v1alpha1.list({}, signal)).toEqual({
    podResources: [
      { name: 'running', namespace: 'default', containers },
      { name: 'ended', namespace: 'default', containers },
    ],
  });
});

test('limits both versions together to a burst of ten requests and a hundred per second', async () => {
  const { v1, v1alpha1, clock } = aNode();
  for (let index = 0; index < 5; index++) {
    await v1.list({}, signal);
    await v1alpha1.list({}, signal);
  }
  await expect(v1.list({}, signal)).rejects.toMatchObject({
    code: 'ResourceExhausted',
    details: 'rejected by rate limit',
  });
  clock.advance(10);
  await v1.list({}, signal);
  await expect(v1.list({}, signal)).rejects.toMatchObject({ code: 'ResourceExhausted' });
});

test('returns two entries for a device on two NUMA nodes, and no topology for a device on none', () => {
  const byNode = new Map([
    [0, ['a']],
    [1, ['a']],
    [-1, ['b']],
  ]);
  expect(containerDevices(new Map([['r', byNode]]))).toEqual([
    { resourceName: 'r', deviceIds: ['a'], topology: { nodes: [{ ID: 0 }] } },
    { resourceName: 'r', deviceIds: ['a'], topology: { nodes: [{ ID: 1 }] } },
    { resourceName: 'r', deviceIds: ['b'], topology: undefined },
  ]);
});

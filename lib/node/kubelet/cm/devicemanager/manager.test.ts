import { describe, expect, test } from 'vitest';
import type { Container } from '#lib/api/types/core.v1.ts';
import { refusalOf } from '../admission/errors.ts';
import { decodeCheckpoint } from './checkpoint/checkpoint.ts';
import { CHECKPOINT, MAX_RESOURCES, STOP_GRACE } from './constants.ts';
import { aContainer, aDevice, anAnswer, devices, FakePlugin, ManagerFixture, podOf } from './testing.ts';

const GPU = 'example.com/gpu';
const NIC = 'example.com/nic';

test('counts healthy devices as allocatable and all as capacity, and requests a status report', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, [aDevice('a'), aDevice('b', undefined, 'Unhealthy'), aDevice('c', undefined, 'odd')]);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 3 }, allocatable: { [GPU]: 1 }, removed: [] });
  expect(fixture.capacityChanges).toBe(1);
  await fixture.manager.pluginListAndWatch(GPU, [aDevice('a'), aDevice('b')]);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 2 }, allocatable: { [GPU]: 2 }, removed: [] });
  expect(fixture.capacityChanges).toBe(2);
});

test('ignores a list without changes', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(3));
  await fixture.manager.pluginListAndWatch(GPU, devices(3));
  expect(fixture.capacityChanges).toBe(1);
});

test("keeps the capacity of a stopped plugin's resource for five minutes without allocatable, then removes it once", async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(2));
  fixture.manager.pluginDisconnected(GPU);
  expect(fixture.capacityChanges).toBe(2);
  fixture.clock.advance(STOP_GRACE);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 2 }, allocatable: { [GPU]: 0 }, removed: [] });
  fixture.clock.advance(1);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: {}, allocatable: {}, removed: [GPU] });
  expect(fixture.manager.getCapacity()).toEqual({ capacity: {}, allocatable: {}, removed: [] });
});

test('restores the devices of a plugin that registers again within five minutes', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(2));
  fixture.manager.pluginDisconnected(GPU);
  fixture.clock.advance(STOP_GRACE);
  await fixture.plugin(GPU, devices(2));
  fixture.clock.advance(STOP_GRACE);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 2 }, allocatable: { [GPU]: 2 }, removed: [] });
  expect(fixture.capacityChanges).toBe(3);
});

test('passes the settings of plugins to a container', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(3));
  plugin.answer = async (ids) =>
    anAnswer({
      envs: { IDS: ids.join(',') },
      mounts: [{ containerPath: '/lib', hostPath: '/host/lib', readOnly: true }],
      devices: [{ containerPath: '/dev/a', hostPath: '/dev/b', permissions: 'mrw' }],
      annotations: { 'example.com/a': 'b' },
      cdiDevices: [{ name: 'example.com/gpu=a' }, { name: 'example.com/gpu=a' }],
    });
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 }), aContainer('other', {})]);
  await fixture.admit(pod);
  const [app, other] = pod.spec.containers ?? [];
  expect(app && (await fixture.manager.getDeviceRunContainerOptions(pod, app))).toEqual({
    envs: [{ name: 'IDS', value: 'dev1,dev2' }],
    mounts: [{ name: '/lib', containerPath: '/lib', hostPath: '/host/lib', readOnly: true }],
    devices: [{ pathInContainer: '/dev/a', pathOnHost: '/dev/b', permissions: 'mrw' }],
    annotations: { 'example.com/a': 'b' },
    cdiDevices: ['example.com/gpu=a'],
  });
  expect(other && (await fixture.manager.getDeviceRunContainerOptions(pod, other))).toBeUndefined();
  expect(plugin.calls).toEqual(['Allocate dev1,dev2']);
});

test('uses the first of two conflicting plugin settings and reports the fault', async () => {
  const fixture = new ManagerFixture();
  const settings = (value: string) => ({
    envs: { A: value, SAME: 'x' },
    mounts: [{ containerPath: '/m', hostPath: value, readOnly: true }],
    devices: [{ containerPath: '/d', hostPath: value, permissions: 'r' }],
    annotations: { a: value },
  });
  (await fixture.plugin(GPU, devices(1))).answer = async () => anAnswer(settings('1'));
  (await fixture.plugin(NIC, devices(1))).answer = async () => anAnswer(settings('2'));
  const app = aContainer('app', { [GPU]: 1, [NIC]: 1 });
  const pod = podOf('p', [app]);
  await fixture.admit(pod);
  const options = await fixture.manager.getDeviceRunContainerOptions(pod, app);
  expect(options?.envs).toEqual([
    { name: 'A', value: '1' },
    { name: 'SAME', value: 'x' },
  ]);
  expect(options?.mounts.map(({ hostPath }) => hostPath)).toEqual(['1']);
  expect(fixture.faults.sort()).toEqual(
    [
      'Annotation has conflicting setting: a is 1, not 2',
      'Container device has conflicting mapping host devices: /d is 1, not 2',
      'Container mount has conflicting mapping host mounts: /m is 1, not 2',
      'Environment variable has conflicting setting: A is 1, not 2',
    ].map((fault) => `pod uid-p, container app: ${fault}`),
  );
});

test.each<{ name: string; arrange: (fixture: ManagerFixture) => Promise<unknown>; message: string }>([
  {
    name: 'too few devices',
    arrange: (fixture) => fixture.plugin(GPU, devices(1)),
    message: `requested number of devices unavailable for ${GPU}. Requested: 2, Available: 1`,
  },
  {
    name: 'a missing healthy device',
    arrange: (fixture) => fixture.plugin(GPU, [aDevice('a', undefined, 'Unhealthy')]),
    message: `no healthy devices present; cannot allocate unhealthy devices ${GPU}`,
  },
  {
    name: 'a stopped plugin',
    async arrange(fixture) {
      await fixture.plugin(GPU, devices(2));
      fixture.manager.pluginDisconnected(GPU);
    },
    message: `no healthy devices present; cannot allocate unhealthy devices ${GPU}`,
  },
  {
    name: 'a plugin that refuses',
    async arrange(fixture) {
      (await fixture.plugin(GPU, devices(2))).answer = async () => {
        throw new Error('rpc error: code = Unknown desc = broken');
      };
    },
    message: 'rpc error: code = Unknown desc = broken',
  },
  {
    name: 'a response without containers',
    async arrange(fixture) {
      (await fixture.plugin(GPU, devices(2))).answer = async () => ({ containerResponses: [] });
    },
    message: 'no containers return in allocation response ',
  },
])('rejects a pod because of $name', async ({ arrange, message }) => {
  const fixture = new ManagerFixture();
  await arrange(fixture);
  const error = await fixture.admit(podOf('p', [aContainer('app', { [GPU]: 2 })])).catch((reason: unknown) => reason);
  expect(refusalOf(error)).toEqual({
    admit: false,
    reason: 'UnexpectedAdmissionError',
    message: `Allocate failed due to ${message}, which is unexpected`,
  });
});

test('frees the devices of a failed allocation', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(2));
  const { answer } = plugin;
  plugin.answer = () => Promise.reject(new Error('no'));
  await expect(fixture.admit(podOf('p', [aContainer('app', { [GPU]: 2 })]))).rejects.toThrow('no');
  plugin.answer = answer;
  const next = podOf('q', [aContainer('app', { [GPU]: 2 })]);
  await fixture.admit(next);
  expect(fixture.idsOf(next, 'app')).toEqual(['dev1', 'dev2']);
});

test('never shares a device between two pods that are admitted concurrently', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(3), new FakePlugin({ getPreferredAllocationAvailable: true }));
  plugin.prefers = async () => ['dev1', 'dev2'];
  const [p, q] = [podOf('p', [aContainer('app', { [GPU]: 1 })]), podOf('q', [aContainer('app', { [GPU]: 2 })])];
  await Promise.all([fixture.admit(p), fixture.admit(q)]);
  expect([...fixture.idsOf(p, 'app'), ...fixture.idsOf(q, 'app')].sort()).toEqual(['dev1', 'dev2', 'dev3']);
});

test('does not block pods of other resources while a plugin hangs in Allocate', async () => {
  const fixture = new ManagerFixture();
  (await fixture.plugin(GPU, devices(1))).answer = () => new Promise(() => undefined);
  await fixture.plugin(NIC, devices(1));
  void fixture.admit(podOf('p', [aContainer('app', { [GPU]: 1 })]));
  const other = podOf('q', [aContainer('app', { [NIC]: 1 })]);
  await fixture.admit(other);
  expect(fixture.idsOf(other, 'app')).toEqual(['dev1']);
});

test('passes devices of init containers to later containers, except those of sidecars', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(4));
  const sidecar = { ...aContainer('sidecar', { [GPU]: 1 }), restartPolicy: 'Always' };
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 })], [aContainer('init', { [GPU]: 2 }), sidecar]);
  await fixture.admit(pod);
  expect(fixture.idsOf(pod, 'init')).toEqual(['dev1', 'dev2']);
  expect(fixture.idsOf(pod, 'sidecar')).toEqual(['dev1']);
  expect(fixture.idsOf(pod, 'app')).toEqual(['dev2', 'dev3']);
});

test('frees the devices of terminated pods, but not before every source is ready', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(1));
  const ended = podOf('p', [aContainer('app', { [GPU]: 1 })]);
  await fixture.admit(ended);
  fixture.pods.length = 0;
  fixture.allSourcesReady = false;
  const next = podOf('q', [aContainer('app', { [GPU]: 1 })]);
  await expect(fixture.admit(next)).rejects.toThrow('Requested: 1, Available: 0');
  fixture.allSourcesReady = true;
  await fixture.admit(next);
  expect(fixture.idsOf(next, 'app')).toEqual(['dev1']);
  expect(fixture.idsOf(ended, 'app')).toEqual([]);
});

test('calls PreStartContainer with the container’s devices before its start', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(1), new FakePlugin({ preStartRequired: true }));
  const app = aContainer('app', { [GPU]: 1 });
  const pod = podOf('p', [app]);
  await fixture.admit(pod);
  await fixture.manager.getDeviceRunContainerOptions(pod, app);
  expect(plugin.calls).toEqual(['Allocate dev1', 'PreStartContainer dev1']);
  plugin.preStartError = new Error('busy');
  await expect(fixture.manager.getDeviceRunContainerOptions(pod, app)).rejects.toThrow(
    'device plugin PreStartContainer rpc failed with err: busy',
  );
});

test('ignores a resource that the scheduler satisfied with a ResourceClaim', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(1));
  const pod = podOf('p', [aContainer('app', { [GPU]: 1 })]);
  pod.status = {
    extendedResourceClaimStatus: {
      resourceClaimName: 'c',
      requestMappings: [{ containerName: 'app', resourceName: GPU, requestName: 'r' }],
    },
  };
  await fixture.admit(pod);
  expect(plugin.calls).toEqual([]);
});

test('lets the plugin choose among the devices of the affinity', async () => {
  const fixture = new ManagerFixture();
  const list = [aDevice('a', 0), aDevice('b', 1), aDevice('c', 1), aDevice('d', 1), aDevice('e')];
  const plugin = await fixture.plugin(GPU, list, new FakePlugin({ getPreferredAllocationAvailable: true }));
  plugin.prefers = async () => ['a', 'd', 'c'];
  fixture.hint = { affinity: 2n, preferred: true };
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 })]);
  await fixture.admit(pod);
  expect(plugin.calls[0]).toBe('GetPreferredAllocation 2 of b,c,d');
  expect(fixture.idsOf(pod, 'app')).toEqual(['c', 'd']);
});

test('uses devices outside the affinity after all those inside it', async () => {
  const fixture = new ManagerFixture();
  const list = [aDevice('e'), aDevice('a', 0), aDevice('b', 1), aDevice('c', 1)];
  const plugin = await fixture.plugin(GPU, list, new FakePlugin({ getPreferredAllocationAvailable: true }));
  fixture.hint = { affinity: 2n, preferred: false };
  const pod = podOf('p', [aContainer('app', { [GPU]: 3 })]);
  await fixture.admit(pod);
  expect(plugin.calls[0]).toBe('GetPreferredAllocation 3 of e,a,b,c with b,c');
  expect(fixture.idsOf(pod, 'app')).toEqual(['a', 'b', 'c']);
});

test('keeps allocations after a restart, with zero capacity until plugins register again, and admits pods with devices', async () => {
  const before = new ManagerFixture();
  await before.plugin(GPU, devices(2));
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 })]);
  await before.admit(pod);

  const after = new ManagerFixture({}, before);
  await after.manager.start();
  expect(after.manager.getCapacity()).toEqual({ capacity: { [GPU]: 0 }, allocatable: { [GPU]: 0 }, removed: [] });
  expect(after.manager.updatePluginResources(pod, { [GPU]: 0, cpu: 4 })).toEqual({ [GPU]: 2, cpu: 4 });
  expect(after.manager.updatePluginResources(podOf('q', []), { [GPU]: 0 })).toEqual({ [GPU]: 0 });
  expect(after.idsOf(pod, 'app')).toEqual(['dev1', 'dev2']);
  await expect(after.admit(pod)).rejects.toThrow('no healthy devices present; cannot allocate unhealthy devices');
  const plugin = await after.plugin(GPU, devices(2));
  await after.admit(pod);
  expect(plugin.calls).toEqual([]);
});

test('admits a container that was running at the start without its plugin', async () => {
  const before = new ManagerFixture();
  await before.plugin(GPU, devices(1));
  const pod = podOf('p', [aContainer('app', { [GPU]: 1 })]);
  await before.admit(pod);
  const after = new ManagerFixture({ wasRunning: ({ containerName }) => containerName === 'app' }, before);
  after.allSourcesReady = false;
  await after.manager.start();
  await after.admit(pod);
  expect(after.idsOf(pod, 'app')).toEqual(['dev1']);
});

describe('after a restart without its plugin, a pod whose init container has devices', () => {
  const init = (name: string, more: Partial<Container> = {}): Container => ({
    ...aContainer(name, { [GPU]: 1 }),
    ...more,
  });

  async function restarted(initContainers: Container[], running: string): Promise<() => Promise<void>> {
    const before = new ManagerFixture();
    await before.plugin(GPU, devices(3));
    const pod = podOf('p', [aContainer('app', { [GPU]: 1 })], initContainers);
    await before.admit(pod);
    const after = new ManagerFixture({ wasRunning: ({ containerName }) => containerName === running }, before);
    after.allSourcesReady = false;
    await after.manager.start();
    return () => after.admit(pod);
  }

  test('is admitted if its container ran, and frees no device', async () => {
    const admit = await restarted([init('first'), init('second')], 'app');
    await expect(admit()).resolves.toBeUndefined();
  });

  test.each([
    ['a later init container alone ran', [init('first'), init('second')], 'second'],
    ['an earlier init container alone ran', [init('first'), init('second')], 'first'],
    ['its sidecar did not run', [init('side', { restartPolicy: 'Always' })], 'app'],
  ])('is refused if %s', async (_, initContainers, running) => {
    const admit = await restarted(initContainers, running);
    await expect(admit()).rejects.toThrow('no healthy devices present; cannot allocate unhealthy devices');
  });
});

test('rejects a container with unhealthy devices after a restart', async () => {
  const before = new ManagerFixture();
  await before.plugin(GPU, devices(2));
  const pod = podOf('p', [aContainer('app', { [GPU]: 1 })]);
  await before.admit(pod);
  const after = new ManagerFixture({}, before);
  await after.manager.start();
  await after.plugin(GPU, [aDevice('dev1', undefined, 'Unhealthy'), aDevice('dev2')]);
  await expect(after.admit(pod)).rejects.toThrow(
    `previously allocated devices are no longer healthy; cannot allocate unhealthy devices ${GPU}`,
  );
});

test('rejects a container that requests another number of devices than it has', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(3));
  await fixture.admit(podOf('p', [aContainer('app', { [GPU]: 1 })]));
  await expect(fixture.admit(podOf('p', [aContainer('app', { [GPU]: 2 })]))).rejects.toThrow(
    `pod "uid-p" container "app" changed request for resource "${GPU}" from 1 to 2`,
  );
});

test('ignores a corrupt checkpoint and replaces it with the next write', async () => {
  const before = new ManagerFixture();
  before.store.put(CHECKPOINT, '{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{"a.b/c":[]}},"Checksum":1}');
  const fixture = new ManagerFixture({}, before);
  await fixture.manager.start();
  expect(fixture.faults).toEqual(['cannot read the checkpoint of device allocations, which may be out of date']);
  expect(fixture.manager.getCapacity().capacity).toEqual({});
  await fixture.plugin(GPU, devices(1));
  const bytes = await fixture.store.read(CHECKPOINT);
  expect(bytes && decodeCheckpoint(bytes)).toEqual({ entries: [], registered: new Map([[GPU, ['dev1']]]) });
});

test('rejects the pod if its allocations cannot be written', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(1));
  fixture.store.write = () => Promise.reject(new Error('no space left on device'));
  await expect(fixture.admit(podOf('p', [aContainer('app', { [GPU]: 1 })]))).rejects.toThrow(
    `failed to write checkpoint file "${CHECKPOINT}": no space left on device`,
  );
});

test('reports device health in the pod status, and the affected pod after a change', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(2));
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 })]);
  await fixture.admit(pod);
  const status = {
    containerStatuses: [
      { name: 'app', image: '', imageID: '', ready: true, restartCount: 0, state: {}, lastState: {} },
    ],
  };
  const health = () =>
    fixture.manager.updateAllocatedResourcesStatus(pod, status).containerStatuses?.[0]?.allocatedResourcesStatus;
  await fixture.manager.pluginListAndWatch(GPU, [aDevice('dev1', undefined, 'Unhealthy'), aDevice('dev2')]);
  expect(fixture.podsChanged).toEqual([['uid-p']]);
  expect(health()).toEqual([
    {
      name: GPU,
      resources: [
        { resourceID: 'dev1', health: 'Unhealthy' },
        { resourceID: 'dev2', health: 'Healthy' },
      ],
    },
  ]);
  await fixture.manager.pluginListAndWatch(GPU, [aDevice('dev2')]);
  await fixture.manager.pluginListAndWatch(GPU, devices(2));
  expect(fixture.podsChanged).toEqual([['uid-p'], ['uid-p']]);
});

test('treats the machine as new only if the directory has no files', async () => {
  const fixture = new ManagerFixture();
  expect(await fixture.manager.shouldResetExtendedResourceCapacity()).toBe(true);
  await fixture.plugin(GPU, devices(1));
  expect(await fixture.manager.shouldResetExtendedResourceCapacity()).toBe(false);
});

test('returns devices by NUMA node for the pod resources API, healthy ones as allocatable', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, [aDevice('a', 0), aDevice('b', 1), aDevice('c'), aDevice('d', 0, 'Unhealthy')]);
  expect(fixture.manager.getAllocatableDevices()).toEqual(
    new Map([
      [
        GPU,
        new Map([
          [0, ['a']],
          [1, ['b']],
          [-1, ['c']],
        ]),
      ],
    ]),
  );
});

test('limits the resources of stopped plugins until they are forgotten', async () => {
  const fixture = new ManagerFixture();
  const connect = (index: number): void => {
    fixture.manager.pluginConnected(`example.com/r${index}`, new FakePlugin());
    fixture.manager.pluginDisconnected(`example.com/r${index}`);
  };
  for (let index = 0; index < MAX_RESOURCES; index++) connect(index);
  expect(() => connect(MAX_RESOURCES)).toThrow('there are 256 resources of device plugins already');
  connect(0);
  fixture.clock.advance(STOP_GRACE + 1);
  fixture.manager.getCapacity();
  connect(MAX_RESOURCES);
});

import { describe, expect, test } from 'vitest';
import type { Container } from '#lib/api/types/core.v1.ts';
import { refusalOf } from '../admission/errors.ts';
import { decodeCheckpoint } from './checkpoint/checkpoint.ts';
import { CHECKPOINT, MAX_RESOURCES, STOP_GRACE } from './constants.ts';
import { aContainer, aDevice, anAnswer, devices, FakePlugin, ManagerFixture, podOf } from './testing.ts';

const GPU = 'example.com/gpu';
const NIC = 'example.com/nic';

test('counts healthy devices as allocatable and all as capacity, and asks for a report of the status', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, [aDevice('a'), aDevice('b', undefined, 'Unhealthy'), aDevice('c', undefined, 'odd')]);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 3 }, allocatable: { [GPU]: 1 }, removed: [] });
  expect(fixture.capacityChanges).toBe(1);
  await fixture.manager.pluginListAndWatch(GPU, [aDevice('a'), aDevice('b')]);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 2 }, allocatable: { [GPU]: 2 }, removed: [] });
  expect(fixture.capacityChanges).toBe(2);
});

test('a list without changes asks for nothing', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(3));
  await fixture.manager.pluginListAndWatch(GPU, devices(3));
  expect(fixture.capacityChanges).toBe(1);
});

test('a resource whose plugin ended keeps its capacity for five minutes, without any allocatable, and is then removed once', async () => {
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

test('a plugin that registers again within five minutes gets its devices back', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(2));
  fixture.manager.pluginDisconnected(GPU);
  fixture.clock.advance(STOP_GRACE);
  await fixture.plugin(GPU, devices(2));
  fixture.clock.advance(STOP_GRACE);
  expect(fixture.manager.getCapacity()).toEqual({ capacity: { [GPU]: 2 }, allocatable: { [GPU]: 2 }, removed: [] });
  expect(fixture.capacityChanges).toBe(3);
});

test('a container gets the settings of its plugins', async () => {
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

test('settings of two plugins that disagree: the first stands, and the fault is told', async () => {
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
    name: 'no healthy device',
    arrange: (fixture) => fixture.plugin(GPU, [aDevice('a', undefined, 'Unhealthy')]),
    message: `no healthy devices present; cannot allocate unhealthy devices ${GPU}`,
  },
  {
    name: 'a plugin that ended',
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
    name: 'an answer without containers',
    async arrange(fixture) {
      (await fixture.plugin(GPU, devices(2))).answer = async () => ({ containerResponses: [] });
    },
    message: 'no containers return in allocation response ',
  },
])('refuses a pod for $name', async ({ arrange, message }) => {
  const fixture = new ManagerFixture();
  await arrange(fixture);
  const error = await fixture.admit(podOf('p', [aContainer('app', { [GPU]: 2 })])).catch((reason: unknown) => reason);
  expect(refusalOf(error)).toEqual({
    admit: false,
    reason: 'UnexpectedAdmissionError',
    message: `Allocate failed due to ${message}, which is unexpected`,
  });
});

test('devices of an allocation that failed are free again', async () => {
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

test('two pods that are admitted at once never share a device', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(3), new FakePlugin({ getPreferredAllocationAvailable: true }));
  plugin.prefers = async () => ['dev1', 'dev2'];
  const [p, q] = [podOf('p', [aContainer('app', { [GPU]: 1 })]), podOf('q', [aContainer('app', { [GPU]: 2 })])];
  await Promise.all([fixture.admit(p), fixture.admit(q)]);
  expect([...fixture.idsOf(p, 'app'), ...fixture.idsOf(q, 'app')].sort()).toEqual(['dev1', 'dev2', 'dev3']);
});

test('a plugin that hangs in Allocate holds up no pod of another resource', async () => {
  const fixture = new ManagerFixture();
  (await fixture.plugin(GPU, devices(1))).answer = () => new Promise(() => undefined);
  await fixture.plugin(NIC, devices(1));
  void fixture.admit(podOf('p', [aContainer('app', { [GPU]: 1 })]));
  const other = podOf('q', [aContainer('app', { [NIC]: 1 })]);
  await fixture.admit(other);
  expect(fixture.idsOf(other, 'app')).toEqual(['dev1']);
});

test('containers get the devices of the init containers before them; sidecars keep theirs', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(4));
  const sidecar = { ...aContainer('sidecar', { [GPU]: 1 }), restartPolicy: 'Always' };
  const pod = podOf('p', [aContainer('app', { [GPU]: 2 })], [aContainer('init', { [GPU]: 2 }), sidecar]);
  await fixture.admit(pod);
  expect(fixture.idsOf(pod, 'init')).toEqual(['dev1', 'dev2']);
  expect(fixture.idsOf(pod, 'sidecar')).toEqual(['dev1']);
  expect(fixture.idsOf(pod, 'app')).toEqual(['dev2', 'dev3']);
});

test('pods that ended free their devices, but not before every source of pods told its pods', async () => {
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

test('PreStartContainer precedes the start, with the container’s devices', async () => {
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

test('a resource that the scheduler took from a ResourceClaim is no business of plugins', async () => {
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

test('the plugin chooses among the devices of the affinity', async () => {
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

test('devices off the affinity come after all those on it', async () => {
  const fixture = new ManagerFixture();
  const list = [aDevice('e'), aDevice('a', 0), aDevice('b', 1), aDevice('c', 1)];
  const plugin = await fixture.plugin(GPU, list, new FakePlugin({ getPreferredAllocationAvailable: true }));
  fixture.hint = { affinity: 2n, preferred: false };
  const pod = podOf('p', [aContainer('app', { [GPU]: 3 })]);
  await fixture.admit(pod);
  expect(plugin.calls[0]).toBe('GetPreferredAllocation 3 of e,a,b,c with b,c');
  expect(fixture.idsOf(pod, 'app')).toEqual(['a', 'b', 'c']);
});

test('a restart keeps allocations; capacity is zero until plugins are back, and pods with devices are admitted', async () => {
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

test('a container that ran at the start is admitted without its plugin', async () => {
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

test('a container whose devices became unhealthy is refused after a restart', async () => {
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

test('a container that asks for another number than it has is refused', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(3));
  await fixture.admit(podOf('p', [aContainer('app', { [GPU]: 1 })]));
  await expect(fixture.admit(podOf('p', [aContainer('app', { [GPU]: 2 })]))).rejects.toThrow(
    `pod "uid-p" container "app" changed request for resource "${GPU}" from 1 to 2`,
  );
});

test('a corrupt checkpoint counts as none, and the next write replaces it', async () => {
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

test('allocations that cannot be written refuse the pod', async () => {
  const fixture = new ManagerFixture();
  await fixture.plugin(GPU, devices(1));
  fixture.store.write = () => Promise.reject(new Error('no space left on device'));
  await expect(fixture.admit(podOf('p', [aContainer('app', { [GPU]: 1 })]))).rejects.toThrow(
    `failed to write checkpoint file "${CHECKPOINT}": no space left on device`,
  );
});

test('the status of a pod tells the health of its devices, and a change names the pod', async () => {
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

test('only a folder without any file says that the machine is new', async () => {
  const fixture = new ManagerFixture();
  expect(await fixture.manager.shouldResetExtendedResourceCapacity()).toBe(true);
  await fixture.plugin(GPU, devices(1));
  expect(await fixture.manager.shouldResetExtendedResourceCapacity()).toBe(false);
});

test('the pod resources API sees devices by NUMA node, healthy ones as allocatable', async () => {
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

test('resources whose plugins end are bounded until they are forgotten', async () => {
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

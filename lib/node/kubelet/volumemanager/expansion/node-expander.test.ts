import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { NAMESPACES, PERSISTENT_VOLUME_CLAIMS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ExpansionError } from '#lib/node/volume/expansion.ts';
import { imagePlugin } from '#lib/node/volume/image/image.ts';
import { aPod, MemoryHost } from '#lib/node/volume/testing/memory-host.ts';
import type { Expansion } from '#lib/node/volume/volume.ts';
import { World } from '#test/support/controllers/world.ts';
import { claimReader, claimStatusWriter } from '../volume-objects.ts';
import type { VolumeToMount } from '../volume-to-mount.ts';
import { type ExpansionContext, expandDuringMount, expandInUse } from './node-expander.ts';
import { VolumeSizes } from './volume-sizes.ts';

let world: World;
let client: Clientset;
let sizes: VolumeSizes;
let expanded: Expansion[];
let failure: Error | undefined;
let events: string[];
let context: ExpansionContext;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  sizes = new VolumeSizes();
  [expanded, events, failure] = [[], [], undefined];
  context = {
    now: () => new MemoryHost().clock.now(),
    sizes,
    recorder: {
      event: (about, type, reason, message) => void events.push(`${about.kind ?? 'Pod'} ${type} ${reason}: ${message}`),
    },
    claim: (namespace, name) => claimReader(client).claim(namespace, name),
    patchStatus: claimStatusWriter(client),
    log: (message) => void events.push(message),
  };
});
afterEach(() => world.close());

const REF = { resource: PERSISTENT_VOLUME_CLAIMS, namespace: 'default', name: 'data' };
const claim = async (): Promise<PersistentVolumeClaim['status'] | undefined> => (await client.get(REF))?.status;

interface Given {
  readonly status?: JsonObject;
  readonly accessModes?: readonly string[];
  readonly requested?: string;
  readonly annotations?: JsonObject;
}

/** A claim of 1Gi whose volume already has 2Gi. */
async function aClaim({ status = {}, accessModes = ['ReadWriteOnce'], requested = '2Gi', annotations = {} }: Given) {
  await client.create(PERSISTENT_VOLUME_CLAIMS, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', annotations },
    spec: { accessModes: [...accessModes], volumeName: 'pv1', resources: { requests: { storage: requested } } },
  });
  await client.patch(REF, { status: { phase: 'Bound', capacity: { storage: '1Gi' }, ...status } }, 'status');
}

const waiting = (state: string): JsonObject => ({
  allocatedResources: { storage: '2Gi' },
  allocatedResourceStatuses: { storage: state },
  conditions: [
    { type: 'FileSystemResizePending', status: 'True' },
    { type: 'example.com/Mine', status: 'True' },
  ],
});

const volume = (readOnly = false): VolumeToMount => ({
  outerName: 'data',
  spec: {
    name: 'pv1',
    readOnly,
    persistentVolume: {
      metadata: { name: 'pv1' },
      spec: { claimRef: { namespace: 'default', name: 'data' }, capacity: { storage: '2Gi' } },
      status: {},
    },
  },
  block: false,
  gid: '',
  pod: { ...aPod(), spec: { ...aPod().spec, nodeName: 'n1' } },
  plugin: {
    ...imagePlugin(),
    expand: async (expansion) => {
      expanded.push(expansion);
      if (failure !== undefined) throw failure;
    },
  },
  unique: 'v',
  isAttachable: false,
  sizes: { desired: '2Gi', claimed: '1Gi' },
});

test("expands a volume during its mount, and then sets the claim's size and removes the resize status", async () => {
  await aClaim({ status: waiting('NodeResizePending') });
  await expandDuringMount(context, volume());
  expect(expanded).toMatchObject([{ newSize: '2Gi', oldSize: '1Gi', block: false }]);
  const status = await claim();
  expect(status).toMatchObject({ capacity: { storage: '2Gi' }, allocatedResources: { storage: '2Gi' } });
  expect(status?.allocatedResourceStatuses).toBeUndefined();
  expect(status?.conditions?.map(({ type }) => type)).toEqual(['example.com/Mine']);
  const told = 'Normal FileSystemResizeSuccessful: MountVolume.NodeExpandVolume succeeded for volume "pv1" n1';
  expect(events).toEqual([`Pod ${told}`, `PersistentVolumeClaim ${told}`]);
});

test('records the expansion in the claim before it calls the driver', async () => {
  await aClaim({ status: waiting('NodeResizePending') });
  failure = new ExpansionError('pending', 'slow');
  await expect(expandDuringMount(context, volume())).rejects.toThrow('slow');
  expect(await claim()).toMatchObject({ allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } });
});

test('does not expand a volume whose claim was changed meanwhile', async () => {
  await aClaim({ status: waiting('NodeResizePending') });
  const { patchStatus } = context;
  const late: ExpansionContext = {
    ...context,
    patchStatus: async (stale, status) => {
      await client.patch(REF, { metadata: { labels: { a: 'b' } } });
      return patchStatus(stale, status);
    },
  };
  await expect(expandDuringMount(late, volume())).rejects.toThrow('the object has been modified');
  expect(expanded).toEqual([]);
});

test.each([['ControllerResizeInProgress'], ['NodeResizeInfeasible'], ['ControllerResizeInfeasible']])(
  'waits for the controller while the claim is %s',
  async (state) => {
    await aClaim({ status: waiting(state) });
    sizes.initialize('v', { desired: '2Gi', claimed: '1Gi' });
    await expandInUse(context, volume(), '1Gi');
    expect(expanded).toEqual([]);
    expect(sizes.growsFrom('v', { desired: '2Gi', claimed: '1Gi' })).toBe('1Gi');
  },
);

test('continues an expansion that an earlier process started', async () => {
  await aClaim({ status: waiting('NodeResizeInProgress') });
  sizes.initialize('v', { desired: '2Gi', claimed: '1Gi' });
  await expandInUse(context, volume(), '1Gi');
  expect(await claim()).toMatchObject({ capacity: { storage: '2Gi' } });
  expect(sizes.growsFrom('v', { desired: '2Gi', claimed: '1Gi' })).toBeUndefined();
});

const told = { capacity: { storage: '2Gi' }, allocatedResources: { storage: '2Gi' } };
test.each<[string, Given, number]>([
  ['for one node', { status: told }, 0],
  ['for many nodes', { status: told, accessModes: ['ReadWriteMany'] }, 1],
  [
    'for many nodes without node expansion',
    {
      status: told,
      accessModes: ['ReadWriteMany'],
      annotations: { 'volume.kubernetes.io/node-expansion-not-required': 'true' },
    },
    0,
  ],
])('expands a volume %s whose claim already has its size: %j, %i times', async (_, given, times) => {
  await aClaim(given);
  const heads = await world.heads();
  await expandInUse(context, volume(), '1Gi');
  expect(expanded).toHaveLength(times);
  expect(await world.heads()).toEqual(heads);
  expect(sizes.growsFrom('v', { desired: '2Gi', claimed: '1Gi' })).toBeUndefined();
});

test('does not retry a driver that cannot expand volumes in use, and mounts the volume', async () => {
  await aClaim({ status: waiting('NodeResizePending') });
  sizes.initialize('v', { desired: '2Gi', claimed: '1Gi' });
  failure = new ExpansionError('inUse', 'Expander.NodeExpand failed to expand the volume : in use');
  await expect(expandDuringMount(context, volume())).resolves.toBeUndefined();
  expect(sizes.growsFrom('v', { desired: '2Gi', claimed: '1Gi' })).toBeUndefined();
  expect((await claim())?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'NodeResizeError',
      status: 'True',
      message: 'failed to expand pvc with Expander.NodeExpand failed to expand the volume : in use',
    }),
  );
});

test('marks an infeasible expansion and records an event', async () => {
  await aClaim({ status: waiting('NodeResizePending') });
  failure = new ExpansionError('infeasible', 'Expander.NodeExpand failed to expand the volume too big');
  await expect(expandInUse(context, volume(), '1Gi')).rejects.toThrow(
    'NodeExpandVolume.NodeExpandVolume failed for volume "pv1" : Expander.NodeExpand failed to expand the volume too big',
  );
  expect(await claim()).toMatchObject({
    allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' },
    capacity: { storage: '1Gi' },
  });
});

test('gives up a failed size when the user requests another one', async () => {
  await aClaim({ status: waiting('NodeResizePending'), requested: '2500Mi' });
  failure = new Error('disk on fire');
  await expect(expandInUse(context, volume(), '1Gi')).rejects.toThrow('disk on fire');
  expect(await claim()).toMatchObject({ allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } });
  await expect(expandInUse(context, volume(), '1Gi')).rejects.toThrow('disk on fire');
  expect(await claim()).toMatchObject({ allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' } });
});

test('records that a read-only volume is not expanded', async () => {
  await aClaim({ status: waiting('NodeResizePending') });
  await expandDuringMount(context, volume(true));
  expect(expanded).toEqual([]);
  expect(events[0]).toBe(
    'Pod Warning FileSystemResizeFailed: MountVolume.NodeExpandVolume failed for volume "pv1" requested read-only file system',
  );
});

test.each([
  ['notSupported', '1Gi'],
  [undefined, '2Gi'],
] as const)(
  'expands for a resizer without a resize status, with failure %s and the claim size %s',
  async (fault, size) => {
    await aClaim({});
    if (fault !== undefined) failure = new ExpansionError(fault, 'no');
    await expandDuringMount(context, volume());
    expect(await claim()).toMatchObject({ capacity: { storage: size } });
  },
);

import { describe, expect, test } from 'vitest';
import { ephemeralVolumeController } from '#lib/controllers/ephemeral-volume/reconcile.ts';
import { persistentVolumeBinder } from '#lib/controllers/persistentvolume/reconcile.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [
  persistentVolumeBinder(client, clock),
  ephemeralVolumeController(client, clock),
];
const [CLAIMS, VOLUMES, PODS] = [core('persistentvolumeclaims'), core('persistentvolumes'), core('pods')];
const CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
const resources = { requests: { storage: '1Gi' } };

async function aWorld(): Promise<World> {
  const world = new World();
  await prepare(world);
  return world;
}

async function prepare(world: World): Promise<void> {
  await aNamespace(world);
  await aNamespace(world, 'default');
}

const aVolume = (world: World, name: string, spec: JsonObject = {}, metadata: JsonObject = {}) =>
  world.user.create(VOLUMES, {
    metadata: { name, ...metadata },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, ...spec },
  });

const aClaim = (world: World, name: string, spec: JsonObject = {}) =>
  world.user.create(CLAIMS, {
    metadata: { name, namespace: 'here' },
    spec: { accessModes: ['ReadWriteOnce'], resources, storageClassName: '', ...spec },
  });

const aClass = (world: World, name: string, more: JsonObject = {}, annotations: JsonObject = {}) =>
  world.user.create(CLASSES, { metadata: { name, annotations }, provisioner: 'csi.example.com', ...more });

const phaseOf = (object: JsonObject): string => stringAt(objectAt(object, 'status'), 'phase') ?? '';
const claims = async (world: World): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await world.user.list(CLAIMS)).map((claim) => [
      nameOf(claim),
      `${phaseOf(claim)} ${stringAt(objectAt(claim, 'spec'), 'volumeName') ?? ''}`.trim(),
    ]),
  );
const volumes = async (world: World): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await world.user.list(VOLUMES)).map((volume) => [
      nameOf(volume),
      `${phaseOf(volume)} ${stringAt(objectAt(objectAt(volume, 'spec'), 'claimRef'), 'name') ?? ''}`.trim(),
    ]),
  );
const told = async (world: World): Promise<string[]> =>
  (await world.user.list(core('events'))).map((one) => `${one['reason']}: ${one['message']}`).sort();

describe('no matter when the controller is killed', () => {
  test('binds each claim to exactly one volume, the smallest that fits', async () => {
    const all = async (world: World): Promise<void> => {
      await prepare(world);
      await aVolume(world, 'small', { capacity: { storage: '1Gi' } });
      await aVolume(world, 'shared', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
      for (const name of ['a', 'b', 'c']) await aClaim(world, name);
    };
    const check = async (world: World): Promise<void> => {
      const bound = await claims(world);
      expect(Object.values(bound).sort()).toEqual(['Bound shared', 'Bound small', 'Pending']);
      for (const [volume, state] of Object.entries(await volumes(world)))
        expect(bound[state.replace('Bound ', '')]).toBe(`Bound ${volume}`);
    };
    expect(await surviveEveryCrash({ make, prepare: all, check })).toBeGreaterThan(13);
  });

  test('releases a volume whose claim is deleted', async () => {
    const all = async (world: World): Promise<void> => {
      await prepare(world);
      await aVolume(world, 'kept');
      await aClaim(world, 'a', { volumeName: 'kept' });
      await world.run(make);
      expect(await claims(world)).toEqual({ a: 'Bound kept' });
      await world.user.delete(refOf(CLAIMS, 'here', 'a'));
      await world.user.patch(refOf(CLAIMS, 'here', 'a'), { metadata: { finalizers: null } }).catch(() => undefined);
    };
    const check = async (world: World): Promise<void> => expect(await volumes(world)).toEqual({ kept: 'Released a' });
    await surviveEveryCrash({ make, prepare: all, check });
  });

  test('creates the claims of the ephemeral volumes of a pod', async () => {
    const all = async (world: World): Promise<void> => {
      await prepare(world);
      await aPod(world);
    };
    const check = async (world: World): Promise<void> => {
      const [claim = {}] = await world.user.list(CLAIMS);
      expect(claim['metadata']).toMatchObject({
        name: 'pod-scratch',
        labels: { a: 'b' },
        ownerReferences: [{ kind: 'Pod', name: 'pod', controller: true }],
      });
    };
    await surviveEveryCrash({ make, prepare: all, check });
  });
});

const aPod = (world: World) =>
  world.user.create(PODS, {
    metadata: { name: 'pod', namespace: 'here' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [
        {
          name: 'scratch',
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { labels: { a: 'b' } },
              spec: { accessModes: ['ReadWriteOnce'], resources, storageClassName: '' },
            },
          },
        },
      ],
    },
  });

test('does not touch a claim of another owner, and reports it on the pod', async () => {
  const world = await aWorld();
  await aClaim(world, 'pod-scratch');
  await aPod(world);
  await world.run(make);
  expect(await told(world)).toContain(
    'FailedBinding: ephemeral volume scratch: PVC here/pod-scratch was not created for pod here/pod (pod is not owner)',
  );
});

test('a claim and its volume refer to each other', async () => {
  const world = await aWorld();
  await aVolume(world, 'v', { capacity: { storage: '2Gi' } });
  const claim = await aClaim(world, 'c');
  await world.run(make);
  const volume = (await world.user.get(refOf(VOLUMES, '', 'v'))) ?? {};
  expect(objectAt(volume, 'spec')?.['claimRef']).toMatchObject({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace: 'here',
    name: 'c',
    uid: uidOf(claim),
  });
  expect({ ...annotationsOf(volume) }).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
  const bound = (await world.user.get(refOf(CLAIMS, 'here', 'c'))) ?? {};
  expect({ ...annotationsOf(bound) }).toEqual({
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
  });
  expect(bound['status']).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } });
  await expectSettled(world, make);
  expect(world.faults).toEqual([]);
});

test('reserves a volume for the claim in its claimRef, also by uid', async () => {
  const world = await aWorld();
  await aVolume(world, 'kept', { claimRef: { namespace: 'here', name: 'c' } });
  await aClaim(world, 'other');
  await world.run(make);
  expect(await volumes(world)).toEqual({ kept: 'Available c' });
  expect(await claims(world)).toEqual({ other: 'Pending' });
  await aClaim(world, 'c');
  await world.run(make);
  expect(await claims(world)).toEqual({ c: 'Bound kept', other: 'Pending' });
  const volume = (await world.user.get(refOf(VOLUMES, '', 'kept'))) ?? {};
  expect({ ...annotationsOf(volume) }).toEqual({});
});

test('reports why a claim cannot be bound, until it can', async () => {
  const world = await aWorld();
  await aVolume(world, 'v', { storageClassName: 'gold' });
  await aClaim(world, 'c', { volumeName: 'v' });
  await world.run(make);
  expect(await told(world)).toEqual([
    'VolumeMismatch: Cannot bind to requested volume "v": storageClassName does not match',
  ]);
  await expectSettled(world, make);
  await world.user.patch(refOf(VOLUMES, '', 'v'), { spec: { storageClassName: null } });
  await world.run(make);
  expect(await claims(world)).toEqual({ c: 'Bound v' });
});

test('marks a claim as lost if its volume is deleted', async () => {
  const world = await aWorld();
  await aVolume(world, 'v');
  await aClaim(world, 'c');
  await world.run(make);
  await world.user.delete(refOf(VOLUMES, '', 'v'));
  await world.user.patch(refOf(VOLUMES, '', 'v'), { metadata: { finalizers: null } }).catch(() => undefined);
  await world.run(make);
  expect(await claims(world)).toEqual({ c: 'Lost v' });
  expect(await told(world)).toContain(
    'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
  );
});

test('requests a volume from an external provisioner, and binds it', async () => {
  const world = await aWorld();
  await aClass(world, 'gold');
  const claim = await aClaim(world, 'c', { storageClassName: 'gold' });
  await world.run(make);
  const asked = (await world.user.get(refOf(CLAIMS, 'here', 'c'))) ?? {};
  expect(annotationsOf(asked)['volume.kubernetes.io/storage-provisioner']).toBe('csi.example.com');
  expect(await told(world)).toHaveLength(1);
  await expectSettled(world, make);
  const metadata = { annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.example.com' } };
  const claimRef = { namespace: 'here', name: 'c', uid: uidOf(claim) };
  const csi = { driver: 'csi.example.com', volumeHandle: 'h' };
  await aVolume(
    world,
    'p',
    { storageClassName: 'gold', claimRef, csi, hostPath: null, persistentVolumeReclaimPolicy: 'Delete' },
    metadata,
  );
  await world.run(make);
  expect(await claims(world)).toEqual({ c: 'Bound p' });
  await world.user.delete(refOf(CLAIMS, 'here', 'c'));
  await world.user.patch(refOf(CLAIMS, 'here', 'c'), { metadata: { finalizers: null } }).catch(() => undefined);
  await world.run(make);
  expect(await volumes(world)).toEqual({ p: 'Released c' });
});

test.each([
  ['Delete', 'VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /x'],
  ['Recycle', 'VolumeFailedRecycle: No recycler plugin found for the volume!'],
])('a volume without a plugin to %s it has failed', async (persistentVolumeReclaimPolicy, event) => {
  const world = await aWorld();
  await aVolume(world, 'v', { persistentVolumeReclaimPolicy, claimRef: { namespace: 'here', name: 'gone', uid: 'u' } });
  await world.run(make);
  expect(await volumes(world)).toEqual({ v: 'Failed gone' });
  expect(await told(world)).toEqual([event]);
  await expectSettled(world, make);
});

test('a claim without a class gets the default when one exists', async () => {
  const world = await aWorld();
  await aClaim(world, 'c', { storageClassName: null });
  await aClaim(world, 'none');
  await world.run(make);
  await aClass(world, 'silver', {}, { 'storageclass.kubernetes.io/is-default-class': 'true' });
  await world.run(make);
  const classes = (await world.user.list(CLAIMS)).map((one) => objectAt(one, 'spec')?.['storageClassName']);
  expect(classes).toEqual(['silver', '']);
});

test('does not bind a claim before its pod has a node if the class requires it', async () => {
  const world = await aWorld();
  await aClass(world, 'late', { volumeBindingMode: 'WaitForFirstConsumer' });
  await aVolume(world, 'v', { storageClassName: 'late' });
  await aClaim(world, 'c', { storageClassName: 'late' });
  await world.run(make);
  expect(await claims(world)).toEqual({ c: 'Pending' });
  expect(await told(world)).toEqual(['WaitForFirstConsumer: waiting for first consumer to be created before binding']);
  await world.user.create(PODS, {
    metadata: { name: 'pod', namespace: 'here' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
    },
  });
  await world.run(make);
  expect(await told(world)).toContain('WaitForPodScheduled: waiting for pod pod to be scheduled');
  await world.user.patch(refOf(CLAIMS, 'here', 'c'), {
    metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'node' } },
  });
  await world.run(make);
  const claim = (await world.user.get(refOf(CLAIMS, 'here', 'c'))) ?? {};
  expect(annotationsOf(claim)['volume.kubernetes.io/storage-provisioner']).toBe('csi.example.com');
});

test('a volume of a built-in plugin has the controller’s finalizer while it is to be deleted', async () => {
  const world = await aWorld();
  const annotations = { 'pv.kubernetes.io/provisioned-by': 'kubernetes.io/host-path' };
  const finalizers = async (): Promise<unknown> => (await world.user.get(refOf(VOLUMES, '', 'v')))?.['metadata'];
  await aVolume(world, 'v', { persistentVolumeReclaimPolicy: 'Delete' }, { annotations });
  await world.run(make);
  expect(await finalizers()).toMatchObject({
    finalizers: ['kubernetes.io/pv-protection', 'kubernetes.io/pv-controller'],
  });
  await world.user.patch(refOf(VOLUMES, '', 'v'), { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
  await world.run(make);
  expect(await finalizers()).toMatchObject({ finalizers: ['kubernetes.io/pv-protection'] });
});

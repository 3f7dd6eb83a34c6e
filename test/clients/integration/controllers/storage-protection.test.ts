import { expect, test } from 'vitest';
import { storageProtectionControllers } from '#lib/controllers/storage-protection/reconcile.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client) => storageProtectionControllers(client);
const [CLAIMS, VOLUMES, PODS] = [core('persistentvolumeclaims'), core('persistentvolumes'), core('pods')];
const CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses' };
const resources = { requests: { storage: '1Gi' } };

const aClaim = (world: World, name: string, spec = {}) =>
  world.user.create(CLAIMS, {
    metadata: { name, namespace: 'default', finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { accessModes: ['ReadWriteOnce'], resources, ...spec },
  });

/** A pod on a node that uses the claim `used`. */
const aPod = (world: World) =>
  world.user.create(PODS, {
    metadata: { name: 'pod', namespace: 'default' },
    spec: {
      nodeName: 'node',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }],
    },
  });

async function prepare(world: World): Promise<void> {
  await aNamespace(world, 'default');
  await world.user.create(CLASSES, {
    metadata: { name: 'gold' },
    driverName: 'csi.example.com',
    parameters: { a: 'b' },
  });
  await world.user.create(CLASSES, {
    metadata: { name: 'tin' },
    driverName: 'csi.example.com',
    parameters: { a: 'b' },
  });
  await world.user.create(VOLUMES, {
    metadata: { name: 'volume', finalizers: ['kubernetes.io/pv-protection'] },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  });
  await aClaim(world, 'used', { volumeAttributesClassName: 'gold' });
  await aClaim(world, 'free');
  await aPod(world);
}

const left = async (world: World): Promise<string[]> =>
  (await Promise.all([CLAIMS, VOLUMES, CLASSES].map((one) => world.user.list(one)))).flat().map(nameOf).sort();

test('deletes unused objects and keeps used ones, no matter when the controllers are killed', async () => {
  const deleteAll = async (world: World): Promise<void> => {
    await prepare(world);
    for (const name of ['used', 'free']) await world.user.delete(refOf(CLAIMS, 'default', name));
    await world.user.delete(refOf(VOLUMES, '', 'volume'));
    for (const name of ['gold', 'tin']) await world.user.delete(refOf(CLASSES, '', name));
  };
  const check = async (world: World): Promise<void> => expect(await left(world)).toEqual(['gold', 'used']);
  expect(await surviveEveryCrash({ make, prepare: deleteAll, check })).toBeGreaterThan(3);
});

test('deletes all objects that waited for their last user', async () => {
  const world = new World();
  await prepare(world);
  await world.user.delete(refOf(CLAIMS, 'default', 'used'));
  await world.user.delete(refOf(CLASSES, '', 'gold'));
  await world.run(make);
  expect(await left(world)).toEqual(['free', 'gold', 'tin', 'used', 'volume']);
  await world.user.delete(refOf(PODS, 'default', 'pod'), { gracePeriodSeconds: 0 });
  await world.run(make);
  expect(await left(world)).toEqual(['free', 'tin', 'volume']);
});

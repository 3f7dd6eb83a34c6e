import { describe, expect, test } from 'vitest';
import { DETACH_REQUESTED, MANAGED, MAX_WAIT_FOR_UNMOUNT } from '#lib/controllers/attachdetach/decide.ts';
import { attachDetach } from '#lib/controllers/attachdetach/reconcile.ts';
import { attachmentName } from '#lib/helpers/component-helpers/storage/volume/csi-names.ts';
import { arrayAt, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, finalizersOf, isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [attachDetach({ client, keeper: client }, clock)];
const ATTACHMENTS = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' };
const DRIVERS = { group: 'storage.k8s.io', version: 'v1', resource: 'csidrivers' };
const DRIVER = 'csi.example.com';
const FINALIZER = 'external-attacher/csi-example-com';

const nameAt = (volume: string, node: string): string => attachmentName(`h-${volume}`, DRIVER, node);
const uniqueName = (volume: string): string => `kubernetes.io/csi/${DRIVER}^h-${volume}`;

async function aWorld(): Promise<World> {
  const world = new World();
  await aNamespace(world);
  await aNamespace(world, 'default');
  return world;
}

async function aNode(world: World, name: string, annotations: JsonObject = { [MANAGED]: 'true' }): Promise<void> {
  await world.user.create(core('nodes'), { metadata: { name, annotations } });
  await nodeStatus(world, name, { conditions: [{ type: 'Ready', status: 'True' }] });
}

const nodeStatus = (world: World, name: string, status: JsonObject) =>
  world.user.patch(refOf(core('nodes'), '', name), { status }, 'status');

/** A bound claim and its volume. */
async function aVolume(world: World, name: string, accessModes = ['ReadWriteOnce']): Promise<void> {
  const storage = { storage: '1Gi' };
  const spec = { accessModes, resources: { requests: storage }, volumeName: name, storageClassName: '' };
  const claim = await world.user.create(core('persistentvolumeclaims'), {
    metadata: { name, namespace: 'here' },
    spec,
  });
  await world.user.patch(refOf(core('persistentvolumeclaims'), 'here', name), { status: { phase: 'Bound' } }, 'status');
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace: 'here', name, uid: uidOf(claim) };
  const csi = { driver: DRIVER, volumeHandle: `h-${name}` };
  const volume = { capacity: storage, accessModes, csi, claimRef, storageClassName: '' };
  await world.user.create(core('persistentvolumes'), { metadata: { name }, spec: volume });
  await world.user.patch(refOf(core('persistentvolumes'), '', name), { status: { phase: 'Bound' } }, 'status');
}

const aPod = (world: World, name: string, nodeName: string, claim: string) =>
  world.user.create(core('pods'), {
    metadata: { name, namespace: 'here' },
    spec: {
      nodeName,
      containers: [{ name: 'c', image: 'x' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
    },
  });

const gone = (world: World, name: string) =>
  world.user.delete(refOf(core('pods'), 'here', name), { gracePeriodSeconds: 0 });

/** The driver's attacher. It attaches every volume, and releases attachments that are being deleted. */
async function attacher(world: World): Promise<void> {
  for (const one of await world.user.list(ATTACHMENTS)) {
    const ref = refOf(ATTACHMENTS, '', nameOf(one));
    if (isDeleting(one)) await world.user.patch(ref, { metadata: { finalizers: null } });
    else if (objectAt(one, 'status')?.['attached'] !== true) {
      if (finalizersOf(one).length === 0) await world.user.patch(ref, { metadata: { finalizers: [FINALIZER] } });
      await world.user.patch(ref, { status: { attached: true } }, 'status');
    }
  }
}

/** Runs the controller and the attacher alternately. */
async function settle(world: World): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await world.run(make);
    await attacher(world);
  }
  await world.run(make);
}

const attachments = async (world: World): Promise<string[]> => (await world.user.list(ATTACHMENTS)).map(nameOf);

async function attachedTo(world: World, name: string): Promise<unknown[]> {
  const node = await world.user.get(refOf(core('nodes'), '', name));
  return [...(arrayAt(objectAt(node ?? {}, 'status'), 'volumesAttached') ?? [])];
}

const told = async (world: World): Promise<string[]> =>
  (await world.user.list(core('events'))).map(
    (one) => `${stringAt(objectAt(one, 'involvedObject'), 'name')} ${one['reason']}: ${one['message']} ${one['count']}`,
  );

describe('no matter when the controller is killed', () => {
  test('makes an attachment for each volume and node, and the node lists those that are attached', async () => {
    const kills = await surviveEveryCrash({
      make,
      async prepare(world) {
        await aNamespace(world);
        await aNode(world, 'n');
        for (const name of ['a', 'b']) await aVolume(world, name);
        await aPod(world, 'p', 'n', 'a');
        await aPod(world, 'q', 'n', 'a');
        await aPod(world, 'r', 'n', 'b');
        await world.run(make);
        await attacher(world);
        for (const name of ['c']) await aVolume(world, name);
        await aPod(world, 's', 'n', 'c');
      },
      async check(world) {
        const names = ['a', 'b', 'c'].map((volume) => nameAt(volume, 'n'));
        expect((await attachments(world)).sort()).toEqual(names.sort());
        expect(await attachedTo(world, 'n')).toEqual(
          ['a', 'b'].map((volume) => ({ name: uniqueName(volume), devicePath: '' })),
        );
        const succeeded = (pod: string, volume: string): string =>
          `${pod} SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "${volume}"  1`;
        const successes = (await told(world)).filter((one) => one.includes('SuccessfulAttachVolume'));
        expect(successes.sort()).toEqual([succeeded('p', 'a'), succeeded('q', 'a'), succeeded('r', 'b')]);
      },
    });
    expect(kills).toBeGreaterThan(4);
  });

  test('removes a volume from the status of the node before it deletes the attachment', async () => {
    await surviveEveryCrash({
      make,
      async prepare(world) {
        await aNamespace(world);
        await aNode(world, 'n');
        await aVolume(world, 'a');
        await aPod(world, 'p', 'n', 'a');
        await settle(world);
        expect(await attachedTo(world, 'n')).toHaveLength(1);
        await gone(world, 'p');
      },
      async check(world) {
        expect(await attachedTo(world, 'n')).toEqual([]);
        const [one = {}] = await world.user.list(ATTACHMENTS);
        expect(isDeleting(one)).toBe(true);
      },
    });
  });
});

test('moves a volume to another node after the first has released it', async () => {
  const world = await aWorld();
  for (const name of ['n', 'm']) await aNode(world, name);
  await aVolume(world, 'a');
  await aPod(world, 'p', 'n', 'a');
  await settle(world);
  await nodeStatus(world, 'n', { volumesInUse: [uniqueName('a')] });
  await aPod(world, 'q', 'm', 'a');
  await settle(world);
  expect(await attachments(world)).toEqual([nameAt('a', 'n')]);
  expect(await told(world)).toContain(
    'q FailedAttachVolume: Multi-Attach error for volume "a" Volume is already used by pod(s) p 1',
  );
  await gone(world, 'p');
  await settle(world);
  expect(await attachments(world)).toEqual([nameAt('a', 'n')]); // the node still uses it
  await nodeStatus(world, 'n', { volumesInUse: null });
  await settle(world);
  expect(await attachments(world)).toEqual([nameAt('a', 'm')]);
  expect(await attachedTo(world, 'm')).toHaveLength(1);
  expect(await attachedTo(world, 'n')).toEqual([]);
  await expectSettled(world, make);
  await world.close();
});

test('attaches a volume to several nodes if its access mode allows it', async () => {
  const world = await aWorld();
  for (const name of ['n', 'm']) await aNode(world, name);
  await aVolume(world, 'a', ['ReadWriteMany']);
  await aPod(world, 'p', 'n', 'a');
  await aPod(world, 'q', 'm', 'a');
  await settle(world);
  expect((await attachments(world)).sort()).toEqual([nameAt('a', 'n'), nameAt('a', 'm')].sort());
  await world.close();
});

test('attaches a volume to one of two nodes whose pods start concurrently', async () => {
  const world = await aWorld();
  for (const name of ['n', 'm']) await aNode(world, name);
  await aVolume(world, 'a');
  await aPod(world, 'p', 'n', 'a');
  await aPod(world, 'q', 'm', 'a');
  await world.run(make);
  expect(await attachments(world)).toHaveLength(1);
  await world.close();
});

test.each([
  ['on a node that attaches by itself', {}, true],
  ['of a driver that needs no attachment', { [MANAGED]: 'true' }, false],
])('makes no attachment %s', async (_, annotations, attachRequired) => {
  const world = await aWorld();
  await world.user.create(DRIVERS, { metadata: { name: DRIVER }, spec: { attachRequired } });
  await aNode(world, 'n', annotations);
  await aVolume(world, 'a');
  await aPod(world, 'p', 'n', 'a');
  await settle(world);
  expect(await attachments(world)).toEqual([]);
  await world.close();
});

test('attaches volumes of pods whose node is created later or becomes managed by the controller', async () => {
  const world = await aWorld();
  for (const name of ['a', 'b']) await aVolume(world, name);
  await aPod(world, 'p', 'n', 'a');
  await aPod(world, 'q', 'm', 'b');
  await aNode(world, 'm', {});
  await settle(world);
  expect(await attachments(world)).toEqual([]);
  await aNode(world, 'n');
  await settle(world);
  expect(await attachments(world)).toEqual([nameAt('a', 'n')]);
  await world.user.patch(refOf(core('nodes'), '', 'm'), { metadata: { annotations: { [MANAGED]: 'true' } } });
  await settle(world);
  expect((await attachments(world)).sort()).toEqual([nameAt('a', 'n'), nameAt('b', 'm')].sort());
  await world.close();
});

test('does not touch attachments of other owners', async () => {
  const world = await aWorld();
  await aNode(world, 'n');
  await aVolume(world, 'a');
  const spec = { attacher: DRIVER, nodeName: 'n', source: { persistentVolumeName: 'a' } };
  await world.user.create(ATTACHMENTS, { metadata: { name: 'mine' }, spec });
  await settle(world);
  expect(await attachments(world)).toEqual(['mine']);
  expect(await attachedTo(world, 'n')).toEqual([]);
  await world.close();
});

/** A pod with a mounted volume on a node that is then lost. */
async function aLostNode(): Promise<World> {
  const world = await aWorld();
  await aNode(world, 'n');
  await aVolume(world, 'a');
  await aPod(world, 'p', 'n', 'a');
  await settle(world);
  await nodeStatus(world, 'n', {
    volumesInUse: [uniqueName('a')],
    conditions: [{ type: 'Ready', status: 'Unknown' }],
  });
  await gone(world, 'p');
  return world;
}

const requestOf = async (world: World): Promise<string | undefined> =>
  annotationsOf((await world.user.get(refOf(ATTACHMENTS, '', nameAt('a', 'n')))) ?? {})[DETACH_REQUESTED];

test('detaches from a lost node after six minutes, whichever processes saw them pass', async () => {
  const world = await aLostNode();
  await world.run(make);
  const since = await requestOf(world);
  expect(since).toBeDefined();
  world.clock.advance(MAX_WAIT_FOR_UNMOUNT / 4);
  await world.run(make);
  expect(await requestOf(world)).toBe(since);
  expect(await attachments(world)).toHaveLength(1);
  world.clock.advance(MAX_WAIT_FOR_UNMOUNT);
  await settle(world);
  expect(await attachments(world)).toEqual([]);
  expect(await attachedTo(world, 'n')).toEqual([]);
  await world.close();
});

test('detaches immediately from a node that is out of service', async () => {
  const world = await aLostNode();
  const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
  await world.user.patch(refOf(core('nodes'), '', 'n'), { spec: { taints } });
  await settle(world);
  expect(await attachments(world)).toEqual([]);
  await world.close();
});

test('detaches from a node that is deleted after six minutes', async () => {
  const world = await aLostNode();
  await world.user.delete(refOf(core('nodes'), '', 'n'));
  await world.run(make);
  expect(await attachments(world)).toHaveLength(1);
  world.clock.advance(MAX_WAIT_FOR_UNMOUNT);
  await settle(world);
  expect(await attachments(world)).toEqual([]);
  await world.close();
});

test('reports a failed attachment on the pods', async () => {
  const world = await aWorld();
  await aNode(world, 'n');
  await aVolume(world, 'a');
  await aPod(world, 'p', 'n', 'a');
  await world.run(make);
  const ref = refOf(ATTACHMENTS, '', nameAt('a', 'n'));
  await world.user.patch(ref, { status: { attached: false, attachError: { message: 'no room' } } }, 'status');
  await world.run(make);
  expect(await told(world)).toContain('p FailedAttachVolume: AttachVolume.Attach failed for volume "a" : no room 1');
  await attacher(world);
  await world.run(make);
  expect(await attachedTo(world, 'n')).toHaveLength(1);
  await world.close();
});

test('attaches a volume of an in-tree plugin that was migrated to a CSI driver', async () => {
  const world = await aWorld();
  await aNode(world, 'n');
  await world.user.create(core('pods'), {
    metadata: { name: 'p', namespace: 'here' },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'x' }],
      volumes: [{ name: 'data', awsElasticBlockStore: { volumeID: 'vol-1' } }],
    },
  });
  await settle(world);
  expect(await attachments(world)).toEqual([attachmentName('vol-1', 'ebs.csi.aws.com', 'n')]);
  expect(await attachedTo(world, 'n')).toEqual([{ name: 'kubernetes.io/csi/ebs.csi.aws.com^vol-1', devicePath: '' }]);
  await gone(world, 'p');
  await settle(world);
  expect(await attachments(world)).toEqual([]);
  await world.close();
});

import { expect, test } from 'vitest';
import { DETACH_REQUESTED, MANAGED, MAX_WAIT_FOR_UNMOUNT } from '#lib/controllers/attachdetach/decide.ts';
import { attachmentName } from '#lib/helpers/component-helpers/storage/volume/csi-names.ts';
import { arrayAt, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, finalizersOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { aCloud, type Cloud } from '#test/support/controllers/cloud.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';

const ATTACHMENTS = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' };
const DRIVER = 'csi.example.com';
const FINALIZER = 'external-attacher/csi-example-com';
const UNIQUE = `kubernetes.io/csi/${DRIVER}^h`;
const node = refOf(core('nodes'), '', 'n');
const pod = refOf(core('pods'), 'team', 'p');

const READY = { conditions: [{ type: 'Ready', status: 'True' }] };

async function aNode({ user }: Cloud): Promise<void> {
  await user.create(core('nodes'), { metadata: { name: 'n', annotations: { [MANAGED]: 'true' } } });
  await user.patch(node, { status: READY }, 'status');
}

/** A cloud with a claim that is bound to a volume, and a pod on node n that uses the claim. */
async function aCloudWithVolume(): Promise<Cloud> {
  const cloud = await aCloud();
  const { user } = cloud;
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const claimRef = { namespace: 'team', name: 'data' };
  const csi = { driver: DRIVER, volumeHandle: 'h' };
  await user.create(core('persistentvolumes'), {
    metadata: { name: 'v' },
    spec: { ...common, capacity: { storage: '1Gi' }, claimRef, csi, persistentVolumeReclaimPolicy: 'Retain' },
  });
  await user.create(core('persistentvolumeclaims'), {
    metadata: { name: 'data', namespace: 'team' },
    spec: { ...common, volumeName: 'v', resources: { requests: { storage: '1Gi' } } },
  });
  await cloud.settle();
  await user.create(core('pods'), {
    metadata: { name: 'p', namespace: 'team' },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  return cloud;
}

/** Acts as the driver's attacher: attaches volumes, and removes the finalizer of attachments that are being deleted. */
async function attach(cloud: Cloud): Promise<void> {
  for (const one of await cloud.user.list(ATTACHMENTS)) {
    const ref = refOf(ATTACHMENTS, '', nameOf(one));
    if (isDeleting(one)) await cloud.user.patch(ref, { metadata: { finalizers: null } });
    else {
      if (finalizersOf(one).length === 0) await cloud.user.patch(ref, { metadata: { finalizers: [FINALIZER] } });
      await cloud.user.patch(ref, { status: { attached: true } }, 'status');
    }
  }
  await cloud.settle();
}

const attachments = async ({ user }: Cloud): Promise<JsonObject[]> => [...(await user.list(ATTACHMENTS))];
const listed = async ({ user }: Cloud): Promise<readonly unknown[]> =>
  arrayAt(objectAt((await user.get(node)) ?? {}, 'status'), 'volumesAttached') ?? [];
const NAME = attachmentName('h', DRIVER, 'n');

test('attaches a volume, lists it, and detaches it with its pod, in stateless processes', async () => {
  const cloud = await aCloudWithVolume();
  await aNode(cloud);
  await cloud.settle();
  await attach(cloud);
  expect((await attachments(cloud)).map(nameOf)).toEqual([NAME]);
  expect(await listed(cloud)).toEqual([{ name: UNIQUE, devicePath: '' }]);
  await cloud.user.delete(pod, { gracePeriodSeconds: 0 });
  await cloud.settle();
  expect(await listed(cloud)).toEqual([]);
  await attach(cloud);
  expect(await attachments(cloud)).toEqual([]);
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

test('attaches the volumes of pods that existed before their node', async () => {
  const cloud = await aCloudWithVolume();
  await cloud.settle();
  expect(await attachments(cloud)).toEqual([]);
  await aNode(cloud);
  await cloud.settle();
  expect((await attachments(cloud)).map(nameOf)).toEqual([NAME]);
});

test('detaches a volume from a lost node with a message delayed by six minutes', async () => {
  const cloud = await aCloudWithVolume();
  await aNode(cloud);
  await cloud.settle();
  await attach(cloud);
  const status = { volumesInUse: [UNIQUE], conditions: [{ type: 'Ready', status: 'Unknown' }] };
  await cloud.user.patch(node, { status }, 'status');
  await cloud.user.delete(pod, { gracePeriodSeconds: 0 });
  await cloud.settle();
  const [lost = {}] = await attachments(cloud);
  expect(annotationsOf(lost)[DETACH_REQUESTED]).toBeDefined();
  cloud.clock.advance(MAX_WAIT_FOR_UNMOUNT / 2);
  await cloud.settle();
  expect(isDeleting((await attachments(cloud))[0] ?? {})).toBe(false);
  cloud.clock.advance(MAX_WAIT_FOR_UNMOUNT / 2);
  await cloud.settle();
  expect(isDeleting((await attachments(cloud))[0] ?? {})).toBe(true);
  await attach(cloud);
  expect([await attachments(cloud), await listed(cloud)]).toEqual([[], []]);
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aNode, aNodeInfo, aPod, aPodInfo, aSnapshot } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { SKIP } from '../../status.ts';
import { volumeRestrictions } from './volume-restrictions.ts';

const DISK = { code: 'Unschedulable', reasons: ['node(s) had no available disk'] };
const IN_USE = {
  code: 'Unschedulable',
  reasons: [
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  ],
};

const withVolumes = (...volumes: JsonObject[]): JsonObject => ({
  volumes: volumes.map((one) => ({ name: 'v', ...one })),
});
const gce = (pdName: string, readOnly = false): JsonObject => ({ gcePersistentDisk: { pdName, readOnly } });
const ebs = (volumeID: string, readOnly = false): JsonObject => ({ awsElasticBlockStore: { volumeID, readOnly } });
const iscsi = (iqn: string, readOnly = false): JsonObject => ({ iscsi: { targetPortal: 'p', iqn, readOnly } });
const rbd = (monitors: string[], image: string, more: JsonObject = {}): JsonObject => ({
  rbd: { monitors, pool: 'rbd', image, ...more },
});
const claim = (claimName: string): JsonObject => ({ persistentVolumeClaim: { claimName } });
const ephemeral: JsonObject = { ephemeral: {} };

describe('VolumeRestrictions for disks', () => {
  test.each<[string, JsonObject, JsonObject, typeof DISK | undefined]>([
    ['another disk', gce('a'), gce('b'), undefined],
    ['the same disk', gce('a'), gce('a'), DISK],
    ['the same disk, one pod only reads', gce('a', true), gce('a'), DISK],
    ['the same disk, both pods only read', gce('a', true), gce('a', true), undefined],
    ['another EBS volume', ebs('a'), ebs('b'), undefined],
    ['the same EBS volume', ebs('a'), ebs('a'), DISK],
    ['the same EBS volume, both pods only read', ebs('a', true), ebs('a', true), DISK],
    ['another iSCSI target', iscsi('a'), iscsi('b'), undefined],
    ['the same iSCSI target', iscsi('a'), iscsi('a'), DISK],
    ['the same iSCSI target, both pods only read', iscsi('a', true), iscsi('a', true), undefined],
    ['an RBD image with a shared monitor', rbd(['a', 'b'], 'i'), rbd(['b', 'c'], 'i'), DISK],
    ['an RBD image of the same name at other monitors', rbd(['a', 'b'], 'i'), rbd(['c'], 'i'), undefined],
    ['an RBD image in another pool', rbd(['a'], 'i'), rbd(['a'], 'i', { pool: 'p' }), undefined],
    ['another RBD image', rbd(['a'], 'i'), rbd(['a'], 'j'), undefined],
    [
      'an RBD image that both pods only read',
      rbd(['a'], 'i', { readOnly: true }),
      rbd(['a'], 'i', { readOnly: true }),
      undefined,
    ],
    ['a disk of another kind', gce('a'), ebs('a'), undefined],
  ])('checks pods for a conflict: %s', (_, wanted, there, expected) => {
    const plugin = volumeRestrictions({}, aHandle());
    const state = new CycleState();
    const pod = aPodInfo({ spec: withVolumes(wanted) });
    expect(plugin.preFilter?.(state, pod, [])).toEqual({});
    const node = aNodeInfo({}, aPod({ name: 'other', spec: withVolumes({ emptyDir: {} }, there) }));
    expect(plugin.filter?.(state, pod, node)).toEqual(expected);
  });
});

describe('VolumeRestrictions: ReadWriteOncePod claims', () => {
  const objects = {
    persistentvolumeclaims: [
      { metadata: { namespace: 'default', name: 'once' }, spec: { accessModes: ['ReadWriteOncePod'] } },
      { metadata: { namespace: 'default', name: 'many' }, spec: { accessModes: ['ReadWriteMany'] } },
    ],
  };
  const user = aPod({ name: 'user', nodeName: 'node', spec: withVolumes(claim('once'), claim('many')) });
  const snapshot = aSnapshot([aNode()], [user]);
  const plugin = volumeRestrictions({}, aHandle({ objects, snapshot }));
  const missing = { code: 'UnschedulableAndUnresolvable', reasons: ['persistentvolumeclaim "gone" not found'] };

  test.each<[string, JsonObject, object]>([
    ['no volumes', {}, { status: SKIP }],
    ['an emptyDir volume', withVolumes({ emptyDir: {} }), { status: SKIP }],
    ['a ReadWriteMany claim', withVolumes(claim('many')), { status: SKIP }],
    ['an ephemeral claim', withVolumes(ephemeral), { status: SKIP }],
    ['a claim in use', withVolumes(claim('once')), {}],
    ['a missing claim', withVolumes(claim('gone')), { status: missing }],
  ])('checks a pod with %s', (_, spec, expected) => {
    expect(plugin.preFilter?.(new CycleState(), aPodInfo({ spec }), [])).toEqual(expected);
  });

  test('skips the filter if no pod uses the claim', () => {
    const free = volumeRestrictions({}, aHandle({ objects, snapshot: aSnapshot([aNode()]) }));
    expect(free.preFilter?.(new CycleState(), aPodInfo({ spec: withVolumes(claim('once')) }), [])).toEqual({
      status: SKIP,
    });
  });

  test('frees a claim when its user is removed in a trial, and takes it again when the user is added', () => {
    const state = new CycleState();
    const pod = aPodInfo({ spec: withVolumes(claim('once')) });
    plugin.preFilter?.(state, pod, []);
    const node = aNodeInfo({}, user);
    const other = aPodInfo({ name: 'user', spec: withVolumes(claim('once')) });
    expect(plugin.filter?.(state, pod, node)).toEqual(IN_USE);
    const trial = state.clone();
    plugin.preFilterExtensions?.removePod(trial, pod, other, node);
    expect(plugin.filter?.(trial, pod, node)).toBeUndefined();
    expect(plugin.filter?.(state, pod, node)).toEqual(IN_USE);
    plugin.preFilterExtensions?.addPod(trial, pod, other, node);
    expect(plugin.filter?.(trial, pod, node)).toEqual(IN_USE);
  });
});

describe('VolumeRestrictions: queueing hints', () => {
  const plugin = volumeRestrictions({}, aHandle());
  const pod = aPod({ spec: withVolumes(claim('c'), gce('d')) });

  test.each<[string, JsonObject, boolean]>([
    ['a pod with its claim', aPod({ spec: withVolumes(claim('c')) }), true],
    [
      'a pod with a claim of that name in another namespace',
      aPod({ namespace: 'other', spec: withVolumes(claim('c')) }),
      false,
    ],
    ['a pod with another claim', aPod({ spec: withVolumes(claim('x')) }), false],
    ['a pod with its disk', aPod({ spec: withVolumes(gce('d')) }), true],
    ['a pod without volumes', aPod(), false],
  ])('decide whether to retry a refused pod when a pod is deleted: %s', (_, before, expected) => {
    expect(isQueuedOn(plugin, ['Pod', 'Delete'], pod, { before })).toBe(expected);
  });

  test.each<[string, string, string, boolean]>([
    ['its claim', 'default', 'c', true],
    ['a claim of that name in another namespace', 'other', 'c', false],
    ['another claim', 'default', 'x', false],
  ])('decide whether to retry a refused pod when a claim is added: %s', (_, namespace, name, expected) => {
    const after = { metadata: { namespace, name } };
    expect(isQueuedOn(plugin, ['PersistentVolumeClaim', 'Add'], pod, { after })).toBe(expected);
  });
});

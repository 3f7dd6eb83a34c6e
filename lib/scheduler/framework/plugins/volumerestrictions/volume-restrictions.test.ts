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

describe('disks', () => {
  test.each<[string, JsonObject, JsonObject, typeof DISK | undefined]>([
    ['another disk', gce('a'), gce('b'), undefined],
    ['the same disk', gce('a'), gce('a'), DISK],
    ['the same disk, one reads', gce('a', true), gce('a'), DISK],
    ['the same disk, both read', gce('a', true), gce('a', true), undefined],
    ['another block store', ebs('a'), ebs('b'), undefined],
    ['the same block store', ebs('a'), ebs('a'), DISK],
    ['the same block store, both read', ebs('a', true), ebs('a', true), DISK],
    ['another target', iscsi('a'), iscsi('b'), undefined],
    ['the same target', iscsi('a'), iscsi('a'), DISK],
    ['the same target, both read', iscsi('a', true), iscsi('a', true), undefined],
    ['an image of a shared monitor', rbd(['a', 'b'], 'i'), rbd(['b', 'c'], 'i'), DISK],
    ['an image of that name elsewhere', rbd(['a', 'b'], 'i'), rbd(['c'], 'i'), undefined],
    ['an image of another pool', rbd(['a'], 'i'), rbd(['a'], 'i', { pool: 'p' }), undefined],
    ['another image', rbd(['a'], 'i'), rbd(['a'], 'j'), undefined],
    ['an image that both read', rbd(['a'], 'i', { readOnly: true }), rbd(['a'], 'i', { readOnly: true }), undefined],
    ['a disk of another kind', gce('a'), ebs('a'), undefined],
  ])('%s', (_, wanted, there, expected) => {
    const plugin = volumeRestrictions({}, aHandle());
    const state = new CycleState();
    const pod = aPodInfo({ spec: withVolumes(wanted) });
    expect(plugin.preFilter?.(state, pod, [])).toEqual({});
    const node = aNodeInfo({}, aPod({ name: 'other', spec: withVolumes({ emptyDir: {} }, there) }));
    expect(plugin.filter?.(state, pod, node)).toEqual(expected);
  });
});

describe('claims of one pod alone', () => {
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
    ['no volume', {}, { status: SKIP }],
    ['a volume that anyone may have', withVolumes({ emptyDir: {} }), { status: SKIP }],
    ['a claim of many', withVolumes(claim('many')), { status: SKIP }],
    ['a claim of its own', withVolumes(ephemeral), { status: SKIP }],
    ['a claim in use', withVolumes(claim('once')), {}],
    ['a claim that is not there', withVolumes(claim('gone')), { status: missing }],
  ])('%s', (_, spec, expected) => {
    expect(plugin.preFilter?.(new CycleState(), aPodInfo({ spec }), [])).toEqual(expected);
  });

  test('skips the filter if no pod uses the claim', () => {
    const free = volumeRestrictions({}, aHandle({ objects, snapshot: aSnapshot([aNode()]) }));
    expect(free.preFilter?.(new CycleState(), aPodInfo({ spec: withVolumes(claim('once')) }), [])).toEqual({
      status: SKIP,
    });
  });

  test('a claim is free once its user is taken away, and again in use when it is put back', () => {
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

describe('a pod that was refused', () => {
  const plugin = volumeRestrictions({}, aHandle());
  const pod = aPod({ spec: withVolumes(claim('c'), gce('d')) });

  test.each<[string, JsonObject, boolean]>([
    ['a user of its claim', aPod({ spec: withVolumes(claim('c')) }), true],
    ['one of that name elsewhere', aPod({ namespace: 'other', spec: withVolumes(claim('c')) }), false],
    ['a user of another claim', aPod({ spec: withVolumes(claim('x')) }), false],
    ['a user of its disk', aPod({ spec: withVolumes(gce('d')) }), true],
    ['a user of nothing', aPod(), false],
  ])('is tried when what goes is %s', (_, before, expected) => {
    expect(isQueuedOn(plugin, ['Pod', 'Delete'], pod, { before })).toBe(expected);
  });

  test.each<[string, string, string, boolean]>([
    ['its claim', 'default', 'c', true],
    ['one elsewhere', 'other', 'c', false],
    ['another', 'default', 'x', false],
  ])('is tried when what comes is %s', (_, namespace, name, expected) => {
    const after = { metadata: { namespace, name } };
    expect(isQueuedOn(plugin, ['PersistentVolumeClaim', 'Add'], pod, { after })).toBe(expected);
  });
});

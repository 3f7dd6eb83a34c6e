import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { decideVolume } from './decide-volume.ts';

const ref = { namespace: 'here', name: 'c', uid: 'u' };
const aVolume = (spec: JsonObject, phase = 'Bound', annotations: JsonObject = {}): PersistentVolume =>
  decodedAs(PERSISTENT_VOLUMES, {
    metadata: { name: 'v', annotations },
    spec: { persistentVolumeReclaimPolicy: 'Retain', ...spec },
    status: { phase },
  });
const aClaim = (volumeName: string, uid = 'u', spec: JsonObject = {}): PersistentVolumeClaim =>
  decodedAs(PERSISTENT_VOLUME_CLAIMS, {
    metadata: { name: 'c', namespace: 'here', uid },
    spec: { volumeName, ...spec },
  });
const provisioned = { 'pv.kubernetes.io/provisioned-by': 'csi.example.com' };
const remove = { claimRef: ref, persistentVolumeReclaimPolicy: 'Delete' };

test.each<[string, PersistentVolume, PersistentVolumeClaim | undefined, object]>([
  ['free', aVolume({}), undefined, { action: 'phase', phase: 'Available' }],
  [
    'reserved',
    aVolume({ claimRef: { namespace: 'here', name: 'c' } }),
    undefined,
    { action: 'phase', phase: 'Available' },
  ],
  ['bound', aVolume({ claimRef: ref }), aClaim('v'), { action: 'phase', phase: 'Bound' }],
  ['half bound', aVolume({ claimRef: ref }), aClaim(''), { action: 'nothing' }],
  [
    'bound to a claim with another mode',
    aVolume({ claimRef: ref }),
    aClaim('', 'u', { volumeMode: 'Block' }),
    { action: 'mismatch' },
  ],
  ['bound to a deleted claim', aVolume({ claimRef: ref }), undefined, { action: 'phase', phase: 'Released' }],
  ['bound to a recreated claim', aVolume({ claimRef: ref }), aClaim('v', 'x'), { action: 'phase', phase: 'Released' }],
  ['bound to a claim with another volume', aVolume({ claimRef: ref }), aClaim('w'), { action: 'unbind' }],
  [
    'provisioned but not used',
    aVolume(remove, 'Bound', provisioned),
    aClaim('w'),
    { action: 'phase', phase: 'Released' },
  ],
  ['released and retained', aVolume({ claimRef: ref }, 'Released'), undefined, { action: 'nothing' }],
  ['released to its provisioner', aVolume(remove, 'Released', provisioned), undefined, { action: 'nothing' }],
  ['released to its driver', aVolume({ ...remove, csi: {} }, 'Released'), undefined, { action: 'nothing' }],
  ['released without a provisioner', aVolume(remove, 'Released'), undefined, { action: 'phase', phase: 'Failed' }],
  ['failed', aVolume(remove, 'Failed'), undefined, { action: 'nothing' }],
])('decides about a volume that is %s', (_, volume, claim, expected) =>
  expect(decideVolume(volume, claim)).toMatchObject(expected),
);

const migrated = { ...provisioned, 'pv.kubernetes.io/migrated-to': 'csi.example.com' };
const byPlugin = (name: string): JsonObject => ({ 'pv.kubernetes.io/provisioned-by': `kubernetes.io/${name}` });
const noDeleter = (why: string): string => `error getting deleter volume plugin for volume "v": ${why}`;

test.each<[string, JsonObject, JsonObject, string | undefined]>([
  ['of NFS', { nfs: {} }, {}, noDeleter('no deletable volume plugin matched')],
  ['of a disk', { local: { path: '/x' } }, {}, noDeleter('no volume plugin matched')],
  [
    'below /var',
    { hostPath: { path: '/var/x' } },
    {},
    'host_path deleter only supports /tmp/.+ but received provided /var/x',
  ],
  ['below /tmp', { hostPath: { path: '/tmp/x' } }, {}, 'no deletable volume plugin matched'],
  ['of an unknown in-tree plugin', {}, byPlugin('x'), 'no volume plugin matched name: kubernetes.io/x'],
  ['of the NFS plugin', {}, byPlugin('nfs'), 'no deletable volume plugin matched'],
  ['of the host path plugin', {}, byPlugin('host-path'), 'spec.PersistentVolumeSource.HostPath is nil'],
  ['of a migrated plugin', {}, byPlugin('aws-ebs'), undefined],
  ['with the migration annotation', {}, migrated, undefined],
])('returns the reason why a released volume %s is not deleted', (_, spec, annotations, message) => {
  const decided = decideVolume(aVolume({ ...remove, ...spec }, 'Released', annotations), undefined);
  expect(decided).toEqual(
    message === undefined
      ? { action: 'nothing' }
      : { action: 'phase', phase: 'Failed', event: { type: 'Warning', reason: 'VolumeFailedDelete', message } },
  );
});

test.each([
  ['Recycle', 'VolumeFailedRecycle', 'No recycler plugin found for the volume!'],
  ['Shred', 'VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy'],
])(
  'returns the reason why a released volume with the policy %s is not reclaimed',
  (persistentVolumeReclaimPolicy, reason, message) =>
    expect(decideVolume(aVolume({ claimRef: ref, persistentVolumeReclaimPolicy }, 'Released'), undefined)).toEqual({
      action: 'phase',
      phase: 'Failed',
      event: { type: 'Warning', reason, message },
    }),
);

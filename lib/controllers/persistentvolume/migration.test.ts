import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annealedClaim, annealedVolume } from './migration.ts';

const BY = 'pv.kubernetes.io/provisioned-by';
const TO = 'pv.kubernetes.io/migrated-to';
const IN_TREE = 'kubernetes.io/pv-controller';
const EXTERNAL = 'external-provisioner.volume.kubernetes.io/finalizer';
const OTHER = 'example.com/other';

const aVolume = (annotations: JsonObject, finalizers: readonly string[], policy = 'Delete', more: JsonObject = {}) =>
  decodedAs<PersistentVolume>(PERSISTENT_VOLUMES, {
    metadata: { name: 'v', annotations, finalizers: [...finalizers], ...more },
    spec: { persistentVolumeReclaimPolicy: policy },
  });
const builtIn = { [BY]: 'kubernetes.io/host-path' };

test.each<[string, JsonObject, readonly string[], string, readonly string[] | undefined]>([
  ['adds that of an in-tree plugin', builtIn, [OTHER], 'Delete', [OTHER, IN_TREE]],
  ['replaces csi-provisioner’s with that of an in-tree plugin', builtIn, [EXTERNAL], 'Delete', [IN_TREE]],
  ['removes both with the policy Retain', builtIn, [EXTERNAL, IN_TREE, OTHER], 'Retain', [OTHER]],
  ['removes both with the policy Recycle', builtIn, [IN_TREE, EXTERNAL], 'Recycle', []],
  ['keeps that of an in-tree plugin', builtIn, [IN_TREE], 'Delete', undefined],
  ['keeps csi-provisioner’s', { [BY]: 'csi.example.com' }, [EXTERNAL], 'Retain', undefined],
  ['keeps those of a volume that was not provisioned', {}, [IN_TREE, EXTERNAL], 'Retain', undefined],
])('an update of a volume’s finalizers %s', (_, annotations, finalizers, policy, expected) =>
  expect(annealedVolume(aVolume(annotations, finalizers, policy))?.metadata.finalizers).toEqual(expected),
);

test('annotates a volume of a migrated plugin, and removes the plugin’s finalizer', () =>
  expect(annealedVolume(aVolume({ [BY]: 'kubernetes.io/aws-ebs' }, [IN_TREE, EXTERNAL]))?.metadata).toMatchObject({
    annotations: { [TO]: 'ebs.csi.aws.com' },
    finalizers: [EXTERNAL],
  }));

test('removes the annotation from a volume whose plugin was not migrated', () =>
  expect(annealedVolume(aVolume({ [BY]: 'csi.example.com', [TO]: 'x' }, []))?.metadata.annotations).toEqual({
    [BY]: 'csi.example.com',
  }));

test('adds no finalizer to a volume that is being deleted', () =>
  expect(annealedVolume(aVolume(builtIn, [OTHER], 'Delete', { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe(
    undefined,
  ));

test.each(['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'])(
  'annotates a claim with a migrated provisioner in %s once',
  (name) => {
    const claim = decodedAs(PERSISTENT_VOLUME_CLAIMS, {
      metadata: { name: 'c', annotations: { [name]: 'kubernetes.io/gce-pd' } },
      spec: {},
    });
    const marked = annealedClaim(claim);
    expect(marked?.metadata.annotations).toMatchObject({ [TO]: 'pd.csi.storage.gke.io' });
    expect(annealedClaim(marked ?? claim)).toBe(undefined);
  },
);

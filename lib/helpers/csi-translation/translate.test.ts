import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { TranslationError } from './plugins.ts';
import { csiVolumeOf, isMigrationOn, migratedTo, translateInline, translateVolume } from './translate.ts';

const ZONE = 'topology.kubernetes.io/zone';
const BETA = 'failure-domain.beta.kubernetes.io';

const aVolume = (spec: JsonObject, labels: JsonObject = {}): PersistentVolume =>
  decodedAs(PERSISTENT_VOLUMES, { metadata: { name: 'v', labels }, spec });
const ebs = { awsElasticBlockStore: { volumeID: 'vol-1' } };
const disk = { gcePersistentDisk: { pdName: 'd' } };

test.each<[string, PersistentVolume, string, string]>([
  ['a bare id', aVolume(ebs), 'ebs.csi.aws.com', 'vol-1'],
  [
    'an id with its zone',
    aVolume({ awsElasticBlockStore: { volumeID: 'aws://us-1a/vol-2' } }),
    'ebs.csi.aws.com',
    'vol-2',
  ],
  [
    'an id without its zone',
    aVolume({ awsElasticBlockStore: { volumeID: 'aws:///vol-3' } }),
    'ebs.csi.aws.com',
    'vol-3',
  ],
  ['a disk without a zone', aVolume(disk), 'pd.csi.storage.gke.io', 'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d'],
  [
    'a zonal disk',
    aVolume(disk, { [ZONE]: 'us-east1-a' }),
    'pd.csi.storage.gke.io',
    'projects/UNSPECIFIED/zones/us-east1-a/disks/d',
  ],
  [
    'a disk of two zones',
    aVolume(disk, { [`${BETA}/zone`]: 'us-east1-a__us-east1-b' }),
    'pd.csi.storage.gke.io',
    'projects/UNSPECIFIED/regions/us-east1/disks/d',
  ],
  ['a managed disk', aVolume({ azureDisk: { diskURI: '/x', kind: 'Managed' } }), 'disk.csi.azure.com', '/x'],
  ['a Cinder volume', aVolume({ cinder: { volumeID: 'c' } }), 'cinder.csi.openstack.org', 'c'],
  ['a Portworx volume', aVolume({ portworxVolume: { volumeID: 'p' } }), 'pxd.portworx.com', 'p'],
])('translates %s to a handle', (_, volume, driver, volumeHandle) => {
  expect(csiVolumeOf(volume)).toEqual({ driver, volumeHandle });
});

test.each<[string, PersistentVolume, string]>([
  ['an id of another format', aVolume({ awsElasticBlockStore: { volumeID: 'aws://us-1a/disk' } }), 'Invalid format'],
  ['zones of two regions', aVolume(disk, { [ZONE]: 'us-east1-a__us-west1-a' }), 'multiple or no regions'],
  ['an invalid zone', aVolume(disk, { [ZONE]: 'a__b' }), 'zone in unexpected format'],
  ['a disk that is not managed', aVolume({ azureDisk: { kind: 'Dedicated' } }), 'is not supported in csi migration'],
])('rejects a volume with %s', (_, volume, message) => {
  expect(() => csiVolumeOf(volume)).toThrow(TranslationError);
  expect(() => csiVolumeOf(volume)).toThrow(message);
});

test('translates the volumes of pods, except those without a migrated in-tree plugin', () => {
  expect(translateInline({ name: 'x', ...disk })?.volumeHandle).toBe('projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d');
  expect(translateInline({ name: 'x', emptyDir: {} })).toBeUndefined();
  expect(translateInline({ name: 'x', azureFile: { secretName: '', shareName: '' } })).toBeUndefined();
});

test('finds the drivers of in-tree plugins', () => {
  expect(migratedTo('kubernetes.io/vsphere-volume')).toBe('csi.vsphere.vmware.com');
  expect(migratedTo('kubernetes.io/nfs')).toBeUndefined();
  expect(['aws-ebs', 'azure-file', 'nfs'].map((name) => isMigrationOn(`kubernetes.io/${name}`))).toEqual([
    true,
    false,
    false,
  ]);
});

const affinity = (...expressions: JsonObject[]): JsonObject => ({
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: expressions }] } },
});
const within = (key: string, ...values: string[]): JsonObject => ({ key, operator: 'In', values });
const DRIVER = 'topology.ebs.csi.aws.com/zone';

test.each<[string, PersistentVolume, JsonObject | undefined]>([
  ['its zone affinity', aVolume({ ...ebs, ...affinity(within(ZONE, 'a')) }), affinity(within(DRIVER, 'a'))],
  [
    'its beta zone affinity with the region',
    aVolume({ ...ebs, ...affinity(within(`${BETA}/zone`, 'a'), within(`${BETA}/region`, 'r')) }),
    affinity(within(DRIVER, 'a'), within('topology.kubernetes.io/region', 'r')),
  ],
  ['its labels', aVolume(ebs, { [ZONE]: 'b__a' }), affinity(within(DRIVER, 'a', 'b'))],
  [
    'its labels next to another affinity',
    aVolume({ ...ebs, ...affinity(within('x', 'y')) }, { [ZONE]: 'a' }),
    affinity(within('x', 'y'), within(DRIVER, 'a')),
  ],
  ['nothing', aVolume(ebs), undefined],
  ['nothing if its beta label is empty', aVolume(ebs, { [`${BETA}/zone`]: '' }), undefined],
  ['nothing if the driver has no zones', aVolume({ azureDisk: {} }, { [ZONE]: 'a' }), undefined],
])('derives the affinity of a translated volume from %s', (_, volume, expected) => {
  const { spec } = translateVolume(volume);
  expect(spec.nodeAffinity).toEqual(expected?.['nodeAffinity']);
  expect(spec.csi).toBeDefined();
  expect(Object.keys(spec)).not.toContain('awsElasticBlockStore');
});

import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aPod } from '../../../testing/wrappers.ts';
import { volumeBindingArgs } from './args.ts';
import { aClaim, aClass } from './testing.ts';
import { volumeBinding } from './volume-binding.ts';

const plugin = volumeBinding(volumeBindingArgs.parse({}), aHandle());
const pod = aPod({
  spec: {
    volumes: [
      { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'e', ephemeral: {} },
      { name: 'i', csi: { driver: 'csi.example.com' } },
    ],
  },
});
const migrated = (plugins?: string): JsonObject => ({
  metadata: plugins === undefined ? {} : { annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': plugins } },
});
const driver = (storageCapacity: boolean, name = 'csi.example.com'): JsonObject => ({
  metadata: { name },
  spec: { storageCapacity },
});
const allowed = (zone: string): JsonObject =>
  aClass('x', { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: [zone] }] }] });

test.each<[string, Parameters<typeof isQueuedOn>[1], Parameters<typeof isQueuedOn>[3], boolean]>([
  ['a node tells of its drivers', ['CSINode', 'Add'], { after: migrated() }, true],
  ['a node has another driver', ['CSINode', 'Update'], { before: migrated(), after: migrated('a') }, true],
  ['a node has one driver more', ['CSINode', 'Update'], { before: migrated('a'), after: migrated('a,b') }, true],
  ['a node tells of the same', ['CSINode', 'Update'], { before: migrated('a'), after: migrated('a') }, false],
  ['its claim changes', ['PersistentVolumeClaim', 'Update'], { after: aClaim('c') }, true],
  ['its own claim comes', ['PersistentVolumeClaim', 'Add'], { after: aClaim('pod-e') }, true],
  ['another claim changes', ['PersistentVolumeClaim', 'Update'], { after: aClaim('x') }, false],
  [
    'one elsewhere changes',
    ['PersistentVolumeClaim', 'Update'],
    { after: aClaim('c', { metadata: { namespace: 'x' } }) },
    false,
  ],
  ['a class comes', ['StorageClass', 'Add'], { after: aClass('x') }, true],
  ['a class is allowed elsewhere', ['StorageClass', 'Update'], { before: allowed('a'), after: allowed('b') }, true],
  ['a class stays where it was', ['StorageClass', 'Update'], { before: allowed('a'), after: allowed('a') }, false],
  ['a volume comes', ['PersistentVolume', 'Add'], {}, true],
  ['a node has other labels', ['Node', 'UpdateNodeLabel'], {}, true],
  ['capacity is told of', ['CSIStorageCapacity', 'Add'], { after: {} }, true],
  ['capacity gets an amount', ['CSIStorageCapacity', 'Update'], { before: {}, after: { capacity: '1Gi' } }, true],
  [
    'capacity grows',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '1Gi' }, after: { capacity: '2Gi' } },
    true,
  ],
  [
    'the largest volume grows',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '1Gi', maximumVolumeSize: '1Gi' }, after: { capacity: '1Gi', maximumVolumeSize: '2Gi' } },
    true,
  ],
  [
    'capacity is as before',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '1Gi' }, after: { capacity: '1024Mi' } },
    false,
  ],
  [
    'capacity shrinks',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '2Gi' }, after: { capacity: '1Gi' } },
    false,
  ],
  ['its driver stops to tell', ['CSIDriver', 'Update'], { before: driver(true), after: driver(false) }, true],
  ['its driver begins to tell', ['CSIDriver', 'Update'], { before: driver(false), after: driver(true) }, false],
  ['another driver stops', ['CSIDriver', 'Update'], { before: driver(true, 'x'), after: driver(false, 'x') }, false],
])('when %s', (_, event, change, expected) => {
  expect(isQueuedOn(plugin, event, pod, change)).toBe(expected);
});

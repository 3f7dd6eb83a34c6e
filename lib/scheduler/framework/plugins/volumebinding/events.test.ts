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
  ['a node reports its drivers', ['CSINode', 'Add'], { after: migrated() }, true],
  ['a node replaces a driver', ['CSINode', 'Update'], { before: migrated(), after: migrated('a') }, true],
  ['a node adds a driver', ['CSINode', 'Update'], { before: migrated('a'), after: migrated('a,b') }, true],
  ['a node reports the same drivers', ['CSINode', 'Update'], { before: migrated('a'), after: migrated('a') }, false],
  ['its claim changes', ['PersistentVolumeClaim', 'Update'], { after: aClaim('c') }, true],
  ['its ephemeral claim is added', ['PersistentVolumeClaim', 'Add'], { after: aClaim('pod-e') }, true],
  ['another claim changes', ['PersistentVolumeClaim', 'Update'], { after: aClaim('x') }, false],
  [
    'a claim in another namespace changes',
    ['PersistentVolumeClaim', 'Update'],
    { after: aClaim('c', { metadata: { namespace: 'x' } }) },
    false,
  ],
  ['a class is added', ['StorageClass', 'Add'], { after: aClass('x') }, true],
  [
    'the allowed topologies of a class change',
    ['StorageClass', 'Update'],
    { before: allowed('a'), after: allowed('b') },
    true,
  ],
  [
    'the allowed topologies of a class stay the same',
    ['StorageClass', 'Update'],
    { before: allowed('a'), after: allowed('a') },
    false,
  ],
  ['a volume is added', ['PersistentVolume', 'Add'], {}, true],
  ['the labels of a node change', ['Node', 'UpdateNodeLabel'], {}, true],
  ['a capacity is added', ['CSIStorageCapacity', 'Add'], { after: {} }, true],
  ['a capacity gets an amount', ['CSIStorageCapacity', 'Update'], { before: {}, after: { capacity: '1Gi' } }, true],
  [
    'a capacity grows',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '1Gi' }, after: { capacity: '2Gi' } },
    true,
  ],
  [
    'the maximum volume size grows',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '1Gi', maximumVolumeSize: '1Gi' }, after: { capacity: '1Gi', maximumVolumeSize: '2Gi' } },
    true,
  ],
  [
    'a capacity stays the same',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '1Gi' }, after: { capacity: '1024Mi' } },
    false,
  ],
  [
    'a capacity shrinks',
    ['CSIStorageCapacity', 'Update'],
    { before: { capacity: '2Gi' }, after: { capacity: '1Gi' } },
    false,
  ],
  [
    'its driver stops reporting capacities',
    ['CSIDriver', 'Update'],
    { before: driver(true), after: driver(false) },
    true,
  ],
  [
    'its driver starts reporting capacities',
    ['CSIDriver', 'Update'],
    { before: driver(false), after: driver(true) },
    false,
  ],
  [
    'another driver stops reporting capacities',
    ['CSIDriver', 'Update'],
    { before: driver(true, 'x'), after: driver(false, 'x') },
    false,
  ],
])('decides whether to retry a pod when %s', (_, event, change, expected) => {
  expect(isQueuedOn(plugin, event, pod, change)).toBe(expected);
});

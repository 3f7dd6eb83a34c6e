import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { KindStrategy } from '../../strategy.ts';
import { refusals, updated, updateRefusals } from '../proof/strategy-proof.conformance.ts';
import { csiDriverStrategy } from './csi-driver.ts';
import { csiNodeStrategy } from './csi-node.ts';
import { csiStorageCapacityStrategy } from './csi-storage-capacity.ts';
import { storageClassStrategy } from './storage-class.ts';
import { volumeAttachmentStrategy } from './volume-attachment.ts';
import { volumeAttributesClassStrategy } from './volume-attributes-class.ts';

const term = { matchLabelExpressions: [{ key: 'zone', values: ['a'] }] };
const driver = (rest: JsonObject = {}): JsonObject => ({ name: 'd', nodeID: 'n', ...rest });
const drivers = (...list: JsonObject[]): JsonObject => ({ spec: { drivers: list } });

test.each<[string, KindStrategy, JsonObject, string[]]>([
  [
    'a topology twice',
    storageClassStrategy,
    { provisioner: 'p', allowedTopologies: [term, term] },
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  ['a driver twice', csiNodeStrategy, drivers(driver(), driver()), ['spec.drivers[1].name: Duplicate value: "d"']],
  [
    'a token for a minute',
    csiDriverStrategy,
    { spec: { tokenRequests: [{ audience: 'a', expirationSeconds: 60 }] } },
    ['spec.tokenRequests[0].expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes'],
  ],
  [
    'less than nothing',
    csiStorageCapacityStrategy,
    { storageClassName: 'c', capacity: '-1' },
    ['capacity: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'two volumes',
    volumeAttachmentStrategy,
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v', inlineVolumeSpec: {} } } },
    ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  ],
  [
    'an inline volume of another kind',
    volumeAttachmentStrategy,
    {
      spec: {
        attacher: 'a',
        nodeName: 'n',
        source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } } },
      },
    },
    ['spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes'],
  ],
  [
    'no attributes',
    volumeAttributesClassStrategy,
    { driverName: 'd' },
    ['parameters: Required value: must contain at least one key/value pair'],
  ],
])('refused: %s', (_name, strategy, object, want) => {
  expect(refusals(strategy, object)).toEqual(want);
});

test.each<[string, KindStrategy, JsonObject, JsonObject, string[]]>([
  [
    'parameters of a class',
    storageClassStrategy,
    { provisioner: 'p', parameters: { a: '1' } },
    { provisioner: 'p' },
    ['parameters: Invalid value: {"a":"1"}: field is immutable'],
  ],
  [
    'parameters of attributes',
    volumeAttributesClassStrategy,
    { driverName: 'd', parameters: { a: '2' } },
    { driverName: 'd', parameters: { a: '1' } },
    ['parameters: Forbidden: updates to parameters are forbidden.'],
  ],
  ['limits of a driver', csiNodeStrategy, drivers(driver({ allocatable: { count: 2 } })), drivers(driver()), []],
  [
    'the node of a driver',
    csiNodeStrategy,
    drivers(driver({ nodeID: 'm' })),
    drivers(driver()),
    [
      'spec.drivers: Invalid value: {"Name":"d","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field is immutable',
    ],
  ],
])('update: %s', (_name, strategy, object, old, want) => {
  expect(updateRefusals(strategy, object, old)).toEqual(want);
});

test('the status of an attachment is all that its endpoint changes', () => {
  const old = { metadata: { name: 'a', resourceVersion: '1' }, spec: { nodeName: 'n' }, status: { attached: false } };
  const next = {
    metadata: { name: 'a', resourceVersion: '2', labels: { a: 'b' } },
    spec: {},
    status: { attached: true },
  };
  expect(updated(volumeAttachmentStrategy, next, old, 'status')).toEqual({
    metadata: { name: 'a', resourceVersion: '2' },
    spec: { nodeName: 'n' },
    status: { attached: true },
  });
});

import { expect, test } from 'vitest';
import {
  CSI_DRIVERS,
  CSI_NODES,
  CSI_STORAGE_CAPACITIES,
  STORAGE_CLASSES,
  VOLUME_ATTACHMENTS,
  VOLUME_ATTRIBUTES_CLASSES,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { refusals, updated, updateRefusals } from '../proof/strategy-proof.conformance.ts';

const term = { matchLabelExpressions: [{ key: 'zone', values: ['a'] }] };
const driver = (rest: JsonObject = {}): JsonObject => ({ name: 'd', nodeID: 'n', ...rest });
const drivers = (...list: JsonObject[]): JsonObject => ({ spec: { drivers: list } });

test.each<[string, GroupVersionResource, JsonObject, string[]]>([
  [
    'duplicate topology terms',
    STORAGE_CLASSES,
    { provisioner: 'p', allowedTopologies: [term, term] },
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  ['duplicate drivers', CSI_NODES, drivers(driver(), driver()), ['spec.drivers[1].name: Duplicate value: "d"']],
  [
    'a token that expires after one minute',
    CSI_DRIVERS,
    { spec: { tokenRequests: [{ audience: 'a', expirationSeconds: 60 }] } },
    ['spec.tokenRequests[0].expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes'],
  ],
  [
    'a negative capacity',
    CSI_STORAGE_CAPACITIES,
    { storageClassName: 'c', capacity: '-1' },
    ['capacity: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'two volumes in one attachment',
    VOLUME_ATTACHMENTS,
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v', inlineVolumeSpec: {} } } },
    ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  ],
  [
    'an inline volume that is not CSI',
    VOLUME_ATTACHMENTS,
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
    'no parameters in a volume attributes class',
    VOLUME_ATTRIBUTES_CLASSES,
    { driverName: 'd' },
    ['parameters: Required value: must contain at least one key/value pair'],
  ],
])('rejects a new object with %s', (_name, resource, object, want) => {
  expect(refusals(resource, object)).toEqual(want);
});

test.each<[string, GroupVersionResource, JsonObject, JsonObject, string[]]>([
  [
    'the parameters of a storage class',
    STORAGE_CLASSES,
    { provisioner: 'p', parameters: { a: '1' } },
    { provisioner: 'p' },
    ['parameters: Invalid value: {"a":"1"}: field is immutable'],
  ],
  [
    'the parameters of a volume attributes class',
    VOLUME_ATTRIBUTES_CLASSES,
    { driverName: 'd', parameters: { a: '2' } },
    { driverName: 'd', parameters: { a: '1' } },
    ['parameters: Forbidden: updates to parameters are forbidden.'],
  ],
  ['the volume limit of a driver', CSI_NODES, drivers(driver({ allocatable: { count: 2 } })), drivers(driver()), []],
  [
    'the node ID of a driver',
    CSI_NODES,
    drivers(driver({ nodeID: 'm' })),
    drivers(driver()),
    [
      'spec.drivers: Invalid value: {"Name":"d","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field is immutable',
    ],
  ],
])('validates an update of %s', (_name, resource, object, old, want) => {
  expect(updateRefusals(resource, object, old)).toEqual(want);
});

test('changes only the status of an attachment through its status endpoint', () => {
  const old = { metadata: { name: 'a', resourceVersion: '1' }, spec: { nodeName: 'n' }, status: { attached: false } };
  const next = {
    metadata: { name: 'a', resourceVersion: '2', labels: { a: 'b' } },
    spec: {},
    status: { attached: true },
  };
  const { metadata, spec, status } = updated(VOLUME_ATTACHMENTS, next, old, 'status');
  expect(metadata).toEqual({ name: 'a', resourceVersion: '2' });
  expect(spec).toMatchObject({ nodeName: 'n' });
  expect(status).toEqual({ attached: true });
});

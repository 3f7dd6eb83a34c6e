import { describe, expect, test } from 'vitest';
import {
  CONFIG_MAPS,
  ENDPOINTS,
  EVENTS,
  EVENTSV1_EVENTS,
  LIMIT_RANGES,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  RESOURCE_QUOTAS,
  SECRETS,
  SERVICE_ACCOUNTS,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { created, refusals, updated, updateRefusals } from '../proof/strategy-proof.conformance.ts';

const named = (rest: JsonObject = {}): JsonObject => ({ metadata: { name: 'x', namespace: 'default' }, ...rest });
const claim = (spec: JsonObject = {}): JsonObject =>
  named({ spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec } });
const volume = (spec: JsonObject = {}): JsonObject =>
  named({
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, nfs: { server: 's', path: '/p' }, ...spec },
  });
const event = (rest: JsonObject = {}): JsonObject =>
  named({ involvedObject: { namespace: 'default' }, type: 'Normal', ...rest });

test.each<[string, GroupVersionResource, JsonObject, JsonObject]>([
  [
    'namespace',
    NAMESPACES,
    { metadata: { name: 'x' }, spec: { finalizers: ['a/b'] }, status: { phase: 'Terminating' } },
    {
      metadata: { name: 'x', labels: { 'kubernetes.io/metadata.name': 'x' } },
      spec: { finalizers: ['a/b', 'kubernetes'] },
      status: { phase: 'Active' },
    },
  ],
  [
    'secret',
    SECRETS,
    named({ data: { a: 'YQ==', b: null }, stringData: { a: 'z' } }),
    named({ type: 'Opaque', data: { a: 'eg==', b: '' } }),
  ],
  [
    'service account',
    SERVICE_ACCOUNTS,
    named({ secrets: [{ kind: 'Secret', name: 's' }] }),
    named({ secrets: [{ name: 's' }] }),
  ],
  [
    'limit range',
    LIMIT_RANGES,
    named({ spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' } }] } }),
    named({
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { memory: '1Mi' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '2', memory: '1Mi' },
          },
        ],
      },
    }),
  ],
  [
    'claim',
    PERSISTENT_VOLUME_CLAIMS,
    claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'a' } }),
    claim({
      volumeMode: 'Filesystem',
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a' },
    }),
  ],
  [
    'claim with an unknown data source',
    PERSISTENT_VOLUME_CLAIMS,
    claim({ dataSource: { apiGroup: 'a.io', kind: 'Foo', name: 'a' } }),
    claim({ volumeMode: 'Filesystem' }),
  ],
])('prepares a created %s', (_name, resource, object, want) => {
  expect(created(resource, object)).toMatchObject(want);
});

test.each<[string, GroupVersionResource, JsonObject, string[]]>([
  [
    'config map with a duplicate data key',
    CONFIG_MAPS,
    named({ data: { a: '' }, binaryData: { a: '' } }),
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  ['event without a time', EVENTSV1_EVENTS, event(), ['eventTime: Required value']],
  [
    'event about an object in another namespace',
    EVENTS,
    event({ involvedObject: { namespace: 'other' } }),
    ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  ],
  [
    'endpoint with a loopback address',
    ENDPOINTS,
    named({ subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] }),
    ['subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    'limit range with a minimum above the maximum',
    LIMIT_RANGES,
    named({ spec: { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] } }),
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [
    'quota whose scope does not support its resource',
    RESOURCE_QUOTAS,
    named({ spec: { hard: { services: '1' }, scopes: ['BestEffort'] } }),
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [
    'node with duplicate taints',
    NODES,
    named({
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
    }),
    [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ],
  ],
  [
    'volume with two sources',
    PERSISTENT_VOLUMES,
    volume({ hostPath: { path: '/x' } }),
    ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    'local volume without node affinity',
    PERSISTENT_VOLUMES,
    volume({ nfs: null, local: { path: '/x' } }),
    ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
  ],
])('rejects a new %s', (_name, resource, object, want) => {
  expect(refusals(resource, object)).toEqual(want);
});

test.each<[string, GroupVersionResource, JsonObject, JsonObject, string, string[]]>([
  [
    'immutable data',
    CONFIG_MAPS,
    named({ data: { a: '2' } }),
    named({ immutable: true, data: { a: '1' } }),
    '',
    [
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ],
  ],
  [
    'the type of a secret',
    SECRETS,
    named({ type: 'a' }),
    named({ type: 'b' }),
    '',
    ['type: Invalid value: "a": field is immutable'],
  ],
  [
    'the phase of a namespace that is not being deleted',
    NAMESPACES,
    { metadata: { name: 'x' }, status: { phase: 'Terminating' } },
    { metadata: { name: 'x' } },
    'status',
    ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty'],
  ],
  [
    'namespace finalizers to an invalid name',
    NAMESPACES,
    { metadata: { name: 'x' }, spec: { finalizers: ['foo'] } },
    { metadata: { name: 'x' } },
    'finalize',
    ['spec.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified'],
  ],
  [
    'the pod CIDR of a node',
    NODES,
    named({ spec: { podCIDRs: ['10.1.0.0/16'] } }),
    named({ spec: { podCIDRs: ['10.0.0.0/16'] } }),
    '',
    ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
  ],
  [
    'the mode of a volume',
    PERSISTENT_VOLUMES,
    volume({ volumeMode: 'Block' }),
    volume(),
    '',
    ['volumeMode: Invalid value: "Block": field is immutable'],
  ],
  [
    'the scopes of a quota',
    RESOURCE_QUOTAS,
    named({ spec: { scopes: ['BestEffort'] } }),
    named(),
    '',
    ['spec.scopes: Invalid value: ["BestEffort"]: field is immutable'],
  ],
])('rejects an update of %s', (_name, resource, object, old, subresource, want) => {
  expect(updateRefusals(resource, object, old, subresource)).toEqual(want);
});

describe('updates of core kinds', () => {
  test('rejects changes of a claim except for its size', () => {
    const [error = ''] = updateRefusals(
      PERSISTENT_VOLUME_CLAIMS,
      claim({ storageClassName: 'b' }),
      claim({ storageClassName: 'a' }),
    );
    expect(error).toMatch(/^spec: Forbidden: spec is immutable after creation except/);
    expect(error).toContain('- "StorageClassName": "a"');
  });

  test.each([
    ['unless the stored claim has a group', { apiGroup: 'g.io', kind: 'K', name: 'n' }, 0],
    ['if the stored claim has no group', { kind: 'PersistentVolumeClaim', name: 'n' }, 1],
  ])('validates the API group of a data source %s', (_, dataSource, wrong) => {
    const errors = updateRefusals(
      PERSISTENT_VOLUME_CLAIMS,
      claim({ dataSourceRef: { apiGroup: 'G_', kind: 'K', name: 'n' } }),
      claim({ dataSourceRef: dataSource }),
    );
    expect(errors.filter((error) => error.startsWith('spec.dataSourceRef.apiGroup'))).toHaveLength(wrong);
  });

  test('keeps the finalizers of a namespace except through finalize', () => {
    const old = created(NAMESPACES, { metadata: { name: 'x' } });
    const next = { metadata: { name: 'x' }, spec: { finalizers: [] } };
    expect(updated(NAMESPACES, next, old)).toMatchObject({ spec: { finalizers: ['kubernetes'] } });
    expect(updated(NAMESPACES, next, old, 'finalize').spec).toEqual({});
  });

  test("records the time of a volume's phase change", () => {
    const old = { ...volume(), status: { phase: 'Pending', lastPhaseTransitionTime: '2025-01-01T00:00:00Z' } };
    const bound = updated(PERSISTENT_VOLUMES, { ...volume(), status: { phase: 'Bound' } }, old, 'status');
    expect(bound['status']).toEqual({ phase: 'Bound', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' });
    const same = updated(PERSISTENT_VOLUMES, { ...volume(), status: { phase: 'Pending' } }, old, 'status');
    expect(same['status']).toEqual(old.status);
  });
});

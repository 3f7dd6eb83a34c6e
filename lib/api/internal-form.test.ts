import { describe, expect, test } from 'vitest';
import { marshal } from '#lib/machinery/go.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { decodeTyped } from './codec/decode.ts';
import internal from './generated/internal-types.json' with { type: 'json' };
import { inOrder, internalField, internalForm } from './internal-form.ts';
import { hasType } from './types.ts';

const FORMS: readonly [what: string, type: string, value: Json, form: string][] = [
  [
    'fields in the order of the struct, none left out',
    'storage.v1.VolumeAttachmentSpec',
    { nodeName: 'n', attacher: 'a', source: { persistentVolumeName: 'pv' } },
    '{"Attacher":"a","Source":{"PersistentVolumeName":"pv","InlineVolumeSpec":null},"NodeName":"n"}',
  ],
  ['zero values', 'core.v1.EventSource', {}, '{"Component":"","Host":""}'],
  [
    'other names',
    'core.v1.GlusterfsVolumeSource',
    { endpoints: 'e' },
    '{"EndpointsName":"e","Path":"","ReadOnly":false}',
  ],
  [
    'lists, maps and pointers',
    'core.v1.VolumeResourceRequirements',
    { requests: { storage: '1Gi' } },
    '{"Limits":null,"Requests":{"storage":"1Gi"}}',
  ],
  [
    'metadata that is embedded keeps the names of JSON',
    'resource.v1.ResourceClaimTemplateSpec',
    { metadata: { labels: { a: 'b' } }, spec: {} },
    '{"labels":{"a":"b"},"Spec":{"Devices":{"Requests":null,"Constraints":null,"Config":null}}}',
  ],
];

test.each(FORMS)('formats a value like upstream: %s', (_, type, value, form) => {
  expect(marshal(inOrder(internalForm(type, value)))).toBe(form);
});

test('moves the fields for sharing host namespaces to the security context', () => {
  const form = internalForm('core.v1.PodSpec', { hostNetwork: true, containers: [] });
  expect(form).toMatchObject({ SecurityContext: { HostNetwork: true, HostPID: false, HostUsers: null } });
  expect(form).not.toHaveProperty('HostNetwork');
});

describe('an empty field', () => {
  const kind = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' };
  const read = (given: JsonObject): JsonObject =>
    decodeTyped(kind, { apiVersion: 'storage.k8s.io/v1', kind: kind.kind, provisioner: 'p', ...given }).object;

  test.each([
    ['absent', {}, null],
    ['empty', { parameters: {} }, {}],
  ])('differs from an absent field: %s', (_, given, shown) => {
    expect(read(given)).not.toHaveProperty('parameters');
    expect(internalField('storage.v1.StorageClass', read(given), 'parameters')).toEqual(shown);
  });
});

test('has a versioned type for every type of the table', () => {
  expect(Object.keys(internal).filter((type) => !hasType(type))).toEqual([]);
});

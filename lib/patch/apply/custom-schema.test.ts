import { describe, expect, test } from 'vitest';
import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { applyPatch } from './apply-patch.ts';
import { customTypedSchema } from './custom-schema.ts';
import { recordUpdate } from './record-update.ts';
import { keepTimestamps } from './timestamps.ts';

const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const spec = { type: 'object', properties: { pod: embedded, n: { type: 'integer' } } };
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

const apply = (live: JsonObject, applied: JsonObject, schema: JsonObject | undefined, now = at(0)): JsonObject =>
  applyPatch({
    live,
    applied: { apiVersion: 'x.io/v1', kind: 'X', ...applied },
    manager: 'm',
    force: false,
    schema: customTypedSchema(schema),
    apiVersion: 'x.io/v1',
    now,
    isCreate: Object.keys(live).length === 0,
  });

const fields = (object: JsonObject): unknown =>
  arrayAt(objectAt(object, 'metadata'), 'managedFields').map((entry) => (entry as JsonObject)['fieldsV1']);

describe('custom kinds', () => {
  test('metadata is that of every object', () => {
    const owner = { uid: 'u', apiVersion: 'v1', kind: 'K', name: 'k' };
    const object = apply(
      {},
      { metadata: { ownerReferences: [owner], finalizers: ['f'] } },
      { type: 'object', properties: { spec } },
    );
    expect(fields(object)).toEqual([
      {
        'f:metadata': {
          'f:finalizers': { 'v:"f"': {} },
          'f:ownerReferences': { 'k:{"uid":"u"}': {} },
        },
      },
    ]);
  });

  test('an embedded resource has metadata, too, and keeps unknown fields', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { finalizers: ['f'] }, spec: { list: [1] } };
    const object = apply({}, { spec: { pod } }, { type: 'object', properties: { spec } });
    const expected = {
      'f:apiVersion': {},
      'f:kind': {},
      'f:metadata': { 'f:finalizers': { 'v:"f"': {} } },
      'f:spec': { '.': {}, 'f:list': {} },
    };
    expect(fields(object)).toEqual([{ 'f:spec': { 'f:pod': expected } }]);
  });

  test('fields that the schema does not name are refused, unless they are preserved', () => {
    const schema = { type: 'object', properties: { spec } };
    expect(() => apply({}, { spec: { x: 1 } }, schema)).toThrow('.spec.x: field not declared in schema');
    expect(fields(apply({}, { spec: { x: 1 } }, { ...schema, 'x-kubernetes-preserve-unknown-fields': true }))).toEqual([
      { 'f:spec': { 'f:x': {} } },
    ]);
  });

  test('without a schema maps are granular and lists atomic', () => {
    expect(fields(apply({}, { spec: { a: { b: 1 }, c: [1] } }, undefined))).toEqual([
      { 'f:spec': { '.': {}, 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} } },
    ]);
  });
});

describe('times', () => {
  const live = apply({}, { metadata: {}, spec: { n: 1 } }, undefined);
  const by = { schema: customTypedSchema(undefined), apiVersion: 'x.io/v1', manager: 'u', isCreate: false };
  const later = (updated: JsonObject): JsonObject => recordUpdate({ ...by, live, updated, now: at(9) });
  const retimed: JsonObject = JSON.parse(JSON.stringify(live).replace('00:00:00Z', '00:00:09Z')) as JsonObject;

  test('a write that comes to nothing keeps them', () => {
    expect(keepTimestamps(live, retimed)).toEqual(live);
  });

  test.each<[string, JsonObject]>([
    ['another value', { ...retimed, spec: { n: 2 } }],
    ['another manager', later({ ...live, spec: { n: 2 } })],
    ['no managers', { ...live, metadata: {} }],
  ])('%s does not', (_, next) => {
    expect(keepTimestamps(live, next)).toEqual(next);
  });
});

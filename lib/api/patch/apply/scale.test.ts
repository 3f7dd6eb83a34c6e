import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { parentManagers, type ReplicasPaths, scaleManagers } from './scale.ts';

const replicas: ReplicasPaths = new Map([
  ['apps/v1', ['f:spec', 'f:replicas']],
  ['x.io/v1', ['f:spec', 'f:count']],
  ['x.io/v2', null],
]);

/** Parses `manager operation version[/subresource] fields…`. */
function entry(text: string): JsonObject {
  const [manager = '', operation = '', apiVersion = '', ...fields] = text.split(' ');
  const [version = '', subresource] = apiVersion.split('#');
  const spec = Object.fromEntries(fields.map((field) => [`f:${field}`, {}]));
  const info = { manager, operation, apiVersion: version, fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': spec } };
  return subresource === undefined ? info : { ...info, subresource };
}

const show = (entries: Json[] | undefined): unknown =>
  (entries as JsonObject[] | undefined)?.map((it) => {
    const { manager, operation, apiVersion, subresource, fieldsV1 } = it as Record<string, string>;
    const fields = Object.keys((fieldsV1 as unknown as { 'f:spec': object })['f:spec']).map((field) => field.slice(2));
    return [
      manager,
      operation,
      subresource === undefined ? apiVersion : `${apiVersion}#${subresource}`,
      ...fields,
    ].join(' ');
  });

describe('the managers of a Scale', () => {
  test.each<[string, string[], string[]]>([
    [
      'only those of the replicas',
      ['a Apply apps/v1 other', 'b Apply apps/v1 replicas other'],
      ['b Apply autoscaling/v1 replicas'],
    ],
    ['by their own path', ['a Update x.io/v1 count'], ['a Update autoscaling/v1 replicas']],
    ['not of a version without a scale', ['a Update x.io/v2 count'], []],
    ['not of an unknown version', ['a Update x.io/v9 count'], []],
    ['none', [], []],
  ])('maps the managers of the main object: %s', (_, parent, expected) => {
    expect(show(scaleManagers(parent.map(entry), replicas))).toEqual(expected);
  });

  test('rejects malformed entries', () => {
    expect(scaleManagers([{ operation: 'X' }], replicas)).toBeUndefined();
    expect(parentManagers({ parent: [{}], scale: [], apiVersion: 'apps/v1', replicas })).toBeUndefined();
  });
});

describe('the managers of the main object after a write to its Scale', () => {
  test.each<[string, string[], string[], string[]]>([
    [
      'another takes the replicas by an update',
      ['a Apply apps/v1 replicas selector'],
      ['s Update autoscaling/v1#scale replicas'],
      ['a Apply apps/v1 selector', 's Update apps/v1#scale replicas'],
    ],
    [
      'another takes them by an apply',
      ['a Update apps/v1 replicas selector'],
      ['s Apply autoscaling/v1#scale replicas'],
      ['s Apply apps/v1#scale replicas', 'a Update apps/v1 selector'],
    ],
    [
      'all of an entry is taken',
      ['a Apply apps/v1 replicas'],
      ['s Apply autoscaling/v1#scale replicas'],
      ['s Apply apps/v1#scale replicas'],
    ],
    [
      'the applier keeps them',
      ['a Apply apps/v1 replicas selector'],
      ['a Apply autoscaling/v1 replicas'],
      ['a Apply apps/v1 replicas selector'],
    ],
    [
      'an updater keeps them in an entry of their own',
      ['a Update apps/v1 replicas selector'],
      ['a Update autoscaling/v1 replicas'],
      ['a Update apps/v1 selector', 'a Update apps/v1 replicas'],
    ],
    [
      'two appliers share them',
      ['a Apply apps/v1 replicas selector'],
      ['a Apply autoscaling/v1 replicas', 's Apply autoscaling/v1#scale replicas'],
      ['a Apply apps/v1 replicas selector', 's Apply apps/v1#scale replicas'],
    ],
    ['nobody owns them any more', ['a Apply apps/v1 replicas selector'], [], ['a Apply apps/v1 selector']],
    [
      'unknown versions are dropped',
      ['a Apply x.io/v9 replicas'],
      ['s Apply autoscaling/v1#scale replicas'],
      ['s Apply apps/v1#scale replicas'],
    ],
    ['a version without a scale stays', ['a Apply x.io/v2 replicas'], [], ['a Apply x.io/v2 replicas']],
  ])('maps the managers of the Scale back: %s', (_, parent, scale, expected) => {
    const merge = { parent: parent.map(entry), scale: scale.map(entry), apiVersion: 'apps/v1', replicas };
    const sorted = (lines: unknown): unknown => (lines as string[]).map((line) => line.split(' ').toSorted());
    expect(sorted(show(parentManagers(merge)))).toEqual(sorted(expected));
  });
});

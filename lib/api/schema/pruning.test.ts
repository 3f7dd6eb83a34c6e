import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clone, type Json } from '#lib/machinery/json-value.ts';
import { applyDefaults, pruneNulls } from './defaulting.ts';
import { parseProps } from './json-schema-props.ts';
import { prune } from './pruning.ts';

const text = { type: 'string' };

describe('pruning of unknown fields', () => {
  test.each<[string, Json, Json, Json, string[]]>([
    ['unknown fields', { properties: { a: text } }, { a: 'x', b: 1 }, { a: 'x' }, ['b']],
    [
      'unknown fields inside',
      { properties: { spec: { properties: { l: { items: { properties: { a: text } } } } } } },
      { spec: { l: [{ a: 1, z: 2 }], y: 1 } },
      { spec: { l: [{ a: 1 }] } },
      ['spec.l[0].z', 'spec.y'],
    ],
    [
      'not what may be anything',
      { 'x-kubernetes-preserve-unknown-fields': true },
      { z: { y: 1 } },
      { z: { y: 1 } },
      [],
    ],
    [
      'below what may be anything, where the schema knows more',
      { 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { properties: { b: text } } } },
      { a: { b: '', c: 1 }, z: 1 },
      { a: { b: '' }, z: 1 },
      ['a.c'],
    ],
    [
      'values of a map',
      { additionalProperties: { properties: { a: text } } },
      { k: { a: '', b: 1 } },
      { k: { a: '' } },
      ['k.b'],
    ],
    [
      'not the metadata of the root',
      {},
      { apiVersion: 'v1', kind: 'K', metadata: { x: 1 }, y: 1 },
      { apiVersion: 'v1', kind: 'K', metadata: { x: 1 } },
      ['y'],
    ],
  ])('prunes a value: %s', (_, schema, value, expected, paths) => {
    const pruned = clone(value);
    const unknown: string[] = [];
    prune(pruned, parseProps(schema), true, unknown);
    expect(pruned).toEqual(expected);
    expect(unknown).toEqual(paths);
  });
});

describe('defaulting of missing fields', () => {
  const nested = { type: 'object', default: {}, properties: { b: { type: 'integer', default: 3 } } };
  test.each<[string, Json, Json, Json]>([
    ['absent fields', { properties: { a: { ...text, default: 'x' } } }, {}, { a: 'x' }],
    ['inside of defaults', { properties: { a: nested } }, {}, { a: { b: 3 } }],
    ['null that may not be', { properties: { a: { ...text, default: 'x' } } }, { a: null }, { a: 'x' }],
    [
      'not null that may be',
      { properties: { a: { ...text, default: 'x', nullable: true } } },
      { a: null },
      { a: null },
    ],
    ['null that may not be and has no default goes', { properties: { a: text } }, { a: null }, {}],
    ['items', { items: nested }, [null, {}], [{ b: 3 }, { b: 3 }]],
    ['values', { additionalProperties: nested }, { k: null }, { k: { b: 3 } }],
  ])('fills in defaults: %s', (_, schema, value, expected) => {
    const result = clone(value);
    const props = parseProps(schema);
    pruneNulls(result, props);
    applyDefaults(result, props);
    expect(result).toEqual(expected);
  });

  test('does not share defaults between objects', () => {
    const props = parseProps({ properties: { a: { default: { n: [1] } } } });
    const [one, two]: [Json, Json] = [{}, {}];
    applyDefaults(one, props);
    applyDefaults(two, props);
    expect((one as { a: unknown }).a).not.toBe((two as { a: unknown }).a);
  });
});

const keys = fc.constantFrom('a', 'b', 'c', '__proto__');
const value = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, 1, 'x'),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
  ),
})).node;
const schema = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>({}, text, { type: 'string', default: 'd' }, { nullable: true }, { default: { a: 1 } }),
    fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node')), nullable: fc.boolean() }),
    fc.record({ additionalProperties: tie('node') }),
    fc.record({ items: tie('node') }),
    fc.record({ 'x-kubernetes-preserve-unknown-fields': fc.constant(true), properties: fc.record({ a: tie('node') }) }),
  ),
})).node;

test.each([
  ['pruning', (json: Json, props: ReturnType<typeof parseProps>) => prune(json, props, false)],
  ['removing nulls', pruneNulls],
  ['defaulting', applyDefaults],
])('has the same result after %s twice as after %s once', (_, change) => {
  fc.assert(
    fc.property(schema, value, (given, json) => {
      const props = parseProps(given);
      const once = clone(json);
      change(once, props);
      const twice = clone(once);
      change(twice, props);
      expect(twice).toEqual(once);
    }),
    { numRuns: 300 },
  );
});

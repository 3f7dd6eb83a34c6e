import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  difference,
  EMPTY,
  equalSets,
  type FieldSet,
  hasPath,
  intersection,
  isEmpty,
  paths,
  recursiveDifference,
  setOf,
  union,
} from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { showPath } from './path-element.ts';

const element = fc.constantFrom(
  'f:a',
  'f:b',
  'k:{"n":1}',
  'k:{"n":10}',
  'k:{"m":"x","n":9}',
  'v:"s"',
  'v:2',
  'v:true',
  'i:3',
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const set = fc.array(path, { maxLength: 12 }).map((all) => setOf(...all));

const texts = (of: FieldSet): Set<string> => new Set(paths(of).map((it) => it.join(' ')));

describe('sets of fields', () => {
  test('behave like sets of paths', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const [left, right] = [texts(a), texts(b)];
        expect(texts(union(a, b))).toEqual(left.union(right));
        if (!isEmpty(b)) expect(union(intersection(a, b), b)).toBe(b);
        expect(texts(intersection(a, b))).toEqual(left.intersection(right));
        expect(texts(difference(a, b))).toEqual(left.difference(right));
      }),
    );
  });

  test('lose everything below a path in a recursive difference', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const isBelow = (it: string[]): boolean => it.some((_, i) => hasPath(b, it.slice(0, i + 1)));
        const expected = paths(a)
          .filter((it) => !isBelow(it))
          .map((it) => it.join(' '));
        expect(texts(recursiveDifference(a, b))).toEqual(new Set(expected));
      }),
    );
  });

  test('equal the union of a difference and an intersection', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(equalSets(union(difference(a, b), intersection(a, b)), a)).toBe(true);
        expect(isEmpty(intersection(difference(a, b), b))).toBe(true);
      }),
    );
  });

  test('stay unchanged in every operation', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const before = JSON.stringify([a, b]);
        for (const operation of [union, intersection, difference, recursiveDifference]) operation(a, b);
        expect(JSON.stringify([a, b])).toBe(before);
      }),
    );
  });

  test('round-trip, and are encoded in order', () => {
    fc.assert(
      fc.property(set, (it) => {
        const encoded = encodeFieldsV1(it);
        const decoded = decodeFieldsV1(JSON.parse(JSON.stringify(encoded)));
        expect('set' in decoded && equalSets(decoded.set, it)).toBe(true);
        expect(JSON.stringify(encodeFieldsV1(encoded))).toBe(JSON.stringify(encoded));
      }),
    );
  });
});

describe('fieldsV1', () => {
  test.each<[string, unknown, string]>([
    ['the empty set', {}, '{}'],
    ['null', null, '{}'],
    ['a membership of the root counts for nothing', { '.': {}, 'f:a': {} }, '{"f:a":{}}'],
    [
      'steps in order',
      { 'v:10': {}, 'v:9': {}, 'f:b': {}, 'k:{"a":1}': {}, 'f:a': {} },
      '{"f:a":{},"f:b":{},"k:{\\"a\\":1}":{},"v:9":{},"v:10":{}}',
    ],
    ['itself first', { 'f:a': { 'f:b': {}, '.': {} } }, '{"f:a":{".":{},"f:b":{}}}'],
    ['canonical keys', { 'k:{ "b":1, "a":"<" }': {} }, '{"k:{\\"a\\":\\"\\\\u003c\\",\\"b\\":1}":{}}'],
    ['canonical values', { 'v:1.0': {}, 'v:"\\u0061"': {} }, '{"v:1":{},"v:\\"a\\"":{}}'],
    ['unknown kinds of steps go', { 'x:new': {}, 'f:a': { 'y:new': {} } }, '{"f:a":{}}'],
    [
      'names of prototypes are names',
      { 'f:__proto__': { 'f:constructor': {} } },
      '{"f:__proto__":{"f:constructor":{}}}',
    ],
  ])('decodes and encodes: %s', (_, fields, expected) => {
    const decoded = decodeFieldsV1(fields as never);
    expect('set' in decoded && JSON.stringify(encodeFieldsV1(decoded.set))).toBe(expected);
  });

  test.each<[string, unknown]>([
    ['a step without a colon', { abc: {} }],
    ['a step of one letter', { f: {} }],
    ['__proto__ as a step', JSON.parse('{"__proto__":{}}')],
    ['a key that is no JSON', { 'k:{': {} }],
    ['a key that is no object', { 'k:1': {} }],
    ['an index that is no number', { 'i:x': {} }],
    ['a value that is no JSON', { 'v:': {} }],
    ['a value that nests too deep', { [`v:${'['.repeat(5000)}${']'.repeat(5000)}`]: {} }],
    ['a node that is no object', { 'f:a': 1 }],
    ['fields that are no object', 'x'],
    ['a list of fields', []],
  ])('rejects %s', (_, fields) => {
    expect(decodeFieldsV1(fields as never)).toHaveProperty('reason');
  });

  test.each([
    [['f:spec', 'f:a.b'], '.spec.a.b'],
    [['f:ports', 'k:{"port":80,"protocol":"TCP"}'], '.ports[port=80,protocol="TCP"]'],
    [['f:set', 'v:"a\\"b"'], '.set[="a\\"b"]'],
    [['f:nums', 'v:1000000'], '.nums[=1e+06]'],
    [['f:list', 'i:2'], '.list[2]'],
    [['f:set', 'v:null'], '.set[=null]'],
  ])('shows %j as %s', (steps, expected) => {
    expect(showPath(steps)).toBe(expected);
  });

  test('lists members before the paths below them', () => {
    const it = setOf(['f:b', 'f:x'], ['f:a'], ['f:c'], ['f:b', 'f:y', 'f:z']);
    expect(paths(it).map((one) => showPath(one))).toEqual(['.a', '.c', '.b.x', '.b.y.z']);
    expect(paths(EMPTY)).toEqual([]);
  });
});

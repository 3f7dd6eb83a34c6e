import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { Correlation } from './correlation.ts';
import { parseProps } from './json-schema-props.ts';
import { SchemaValidator } from './schema-validator.ts';

const item = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 5 } },
};
const schema = parseProps({
  type: 'object',
  required: ['must'],
  properties: {
    must: { type: 'string' },
    size: { type: 'integer', maximum: 5 },
    atomic: { type: 'array', items: { type: 'integer', maximum: 5 } },
    keyed: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer', maximum: 5 } },
    map: { type: 'object', additionalProperties: { type: 'integer', maximum: 5 } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, maxProperties: 1 },
    odd: { type: 'string', maxLength: 3 },
  },
});
const validator = new SchemaValidator(schema);

function errorFields(old: JsonObject, value: JsonObject): string[] {
  const [before, after] = [old, value].map((object): JsonObject => ({ must: '', ...object }));
  const correlation = new Correlation(after as Json, before as Json, schema);
  return validator.validate(after as JsonObject, { correlation }).map(({ field }) => field);
}

describe('accepts an unchanged value that was invalid before', () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['a value', { size: 9 }, { size: 9, odd: 'new' }, []],
    ['another wrong value is not', { size: 9 }, { size: 8 }, ['size']],
    ['nor one that is new', {}, { size: 9 }, ['size']],
    ['a type', { odd: 5 }, { odd: 5 }, []],
    ['a list as a whole', { atomic: [9, 1] }, { atomic: [9, 1], size: 1 }, []],
    ['not items of an atomic list', { atomic: [9, 1] }, { atomic: [9, 2] }, ['atomic[0]']],
    ['not members of a set', { set: [9, 1] }, { set: [9, 2] }, ['set[0]']],
    [
      'items of a keyed list, wherever they went',
      { keyed: [{ name: 'a', size: 9 }] },
      {
        keyed: [
          { name: 'b', size: 1 },
          { name: 'a', size: 9 },
        ],
      },
      [],
    ],
    [
      'not an item whose key changed',
      { keyed: [{ name: 'a', size: 9 }] },
      { keyed: [{ name: 'b', size: 9 }] },
      ['keyed[0].size'],
    ],
    [
      'not an item without its key',
      { keyed: [{ size: 9 }] },
      { keyed: [{ size: 9 }], size: 1 },
      ['keyed[0].size', 'keyed[0].name'],
    ],
    [
      'not an item whose key is null',
      { keyed: [{ name: null }] },
      { keyed: [{ name: null }], size: 1 },
      ['keyed[0].name'],
    ],
    ['entries of a map', { map: { a: 9 } }, { map: { a: 9, b: 9 } }, ['map.b']],
    ['not what no schema knows', { open: { a: 1, b: 2 } }, { open: { a: 1, b: 2 } }, ['open']],
    ['a null where there may be none', { must: null }, { must: null, size: 1 }, []],
  ])('accepts %s', (_, old, value, expected) => {
    expect(errorFields(old, value)).toEqual(expected);
  });

  test('accepts a missing field if nothing else changed', () => {
    const at = (old: JsonObject, value: JsonObject): number =>
      validator.validate(value, { correlation: new Correlation(value, old, schema) }).length;
    expect(at({ size: 1 }, { size: 1 })).toBe(0);
    expect(at({ size: 1 }, { size: 2 })).toBe(1);
  });
});

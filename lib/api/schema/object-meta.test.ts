import { describe, expect, test } from 'vitest';
import { clone, type Json } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { parseProps } from './json-schema-props.ts';
import { validateListTypes } from './list-type.ts';
import { coerce, validateEmbedded } from './object-meta.ts';

const schema = parseProps({
  type: 'object',
  properties: {
    t: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
});

describe('metadata of embedded resources', () => {
  test('is decoded as in Go', () => {
    const value: Json = { t: { metadata: { name: 'a', labels: {}, creationTimestamp: null, zz: 1 } } };
    const unknown: string[] = [];
    expect(coerce(value, schema, false, { unknown })).toBeUndefined();
    expect(value).toEqual({ t: { metadata: { name: 'a' } } });
    expect(unknown).toEqual(['t.metadata.zz']);
  });

  test.each<[string, Json, string]>([
    ['kind', { kind: 1 }, 't.kind: Invalid value: 1: must be a string'],
    [
      'metadata',
      { metadata: { name: 1 } },
      't.metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
    [
      'metadata that is none',
      { metadata: 'x' },
      't.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ],
  ])('is rejected with a wrong %s, or loses it', (_, t, text) => {
    const error = coerce(clone<Json>({ t }), schema, false);
    expect(error && errorText(error)).toBe(text);
    expect(coerce(clone<Json>({ t }), schema, false, { dropInvalid: true })).toBeUndefined();
  });

  test('keeps its wrong type if malformed fields are dropped', () => {
    const value: Json = { t: { kind: 1, metadata: [42] } };
    expect(coerce(value, schema, false, { dropInvalid: true })).toBeUndefined();
    expect(value).toEqual({ t: { metadata: [42] } });
  });

  test.each<[string, Json, string[]]>([
    ['are whole', {}, ['t.apiVersion: Required value', 't.kind: Required value']],
    ['have a kind', { apiVersion: 'v1', kind: '' }, ['t.kind: Invalid value: "": must not be empty']],
    [
      'have a version',
      { apiVersion: 'a/b/c', kind: 'K' },
      ['t.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      'have valid names',
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'a/b' } },
      ['t.metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    ['may lack a name', { apiVersion: 'v1', kind: 'K', metadata: {} }, []],
  ])('validates embedded resources: they %s', (_, t, expected) =>
    expect(validateEmbedded({ t }, schema, false).map(errorText)).toEqual(expected),
  );
});

describe('validation of list types', () => {
  const list = (extra: object): Json => ({
    type: 'object',
    properties: { l: { type: 'array', items: { type: 'object' }, ...extra } },
  });
  const byName = list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });
  const byTwo = list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'] });
  const set = list({ 'x-kubernetes-list-type': 'set' });
  test.each<[string, Json, Json, string[]]>([
    [
      'a key twice',
      byName,
      [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a' }],
      ['l[2]: Duplicate value: {"name":"a"}'],
    ],
    ['no key twice', byName, [{}, null], ['l[1]: Duplicate value: {}']],
    [
      'keys of several fields',
      byTwo,
      [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
        { b: 2, a: 1 },
      ],
      ['l[2]: Duplicate value: {"a":1,"b":2}'],
    ],
    [
      'an item that is no object',
      byName,
      [1],
      ['l[0]: Invalid value: 1: must be an object for an array of list-type map'],
    ],
    ['a value of a set twice', set, ['a', 1, 'a', '1'], ['l[2]: Duplicate value: "a"']],
    [
      'a compound value of a set twice',
      set,
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['l[1]: Duplicate value: {"a":1,"b":2}'],
    ],
    ['an atomic list', list({}), [1, 1], []],
  ])('validates list types: %s', (_, given, l, expected) => {
    expect(validateListTypes(parseProps(given), { l }).map(errorText)).toEqual(expected);
  });
});

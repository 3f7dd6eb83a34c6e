import { describe, expect, test } from 'vitest';
import type { Json } from '#lib/machinery/json-value.ts';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { pruneDefaults, validateDefaults } from './defaults-validation.ts';
import { validFieldPath } from './field-path.ts';
import { parseProps } from './json-schema-props.ts';
import { unsupportedField } from './structural.ts';
import { validateStructural } from './structural-validation.ts';

const path = FieldPath.of('s');
const root = (properties: Json): Json => ({ type: 'object', properties });

describe('a structural schema', () => {
  test.each<[string, Json, string[]]>([
    [
      'is an object',
      { type: 'array', items: { type: 'string' } },
      ['s.type: Invalid value: "array": must be object at the root'],
    ],
    [
      'has types',
      root({ a: {} }),
      ['s.properties[a].type: Required value: must not be empty for specified object fields'],
    ],
    ['has items', root({ a: { type: 'array' } }), ['s.properties[a].items: Required value: must be specified']],
    [
      'says nothing of metadata but names',
      root({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      [
        's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      'may limit names',
      root({ metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } }),
      [],
    ],
    [
      'types nothing below junctors',
      root({ a: { type: 'string', anyOf: [{ type: 'string' }] } }),
      ['s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      'except for int-or-string, with what means nothing there',
      root({
        a: {
          'x-kubernetes-int-or-string': true,
          anyOf: [
            { type: 'integer', additionalProperties: false },
            { type: 'string', $ref: '' },
          ],
        },
      }),
      [],
    ],
    [
      'except for int-or-string',
      root({ a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } }),
      [],
    ],
    [
      'knows what junctors at its root speak of',
      { type: 'object', not: { properties: { b: { minimum: 1 } } } },
      ['s.properties[b]: Required value: because it is defined in s.not.properties[b]'],
    ],
    [
      'as upstream, does not look at other junctors',
      root({ a: { type: 'object', not: { properties: { b: {} } } } }),
      [],
    ],
    [
      'has patterns that compile',
      root({ a: { type: 'string', pattern: '(?=x)' } }),
      [
        's.properties[a].pattern: Invalid value: "(?=x)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
      ],
    ],
    [
      'embeds objects',
      root({
        a: { type: 'string', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      }),
      ['s.properties[a].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true'],
    ],
  ])('checks a schema: it %s', (_, schema, expected) => {
    expect(validateStructural(path, parseProps(schema)).map(errorText)).toEqual(expected);
  });

  test.each<[Json, string | undefined]>([
    [{ $ref: '#/x' }, "OpenAPIV3Schema '$ref' is not supported"],
    [root({ a: { items: [{}] } }), "OpenAPIV3Schema 'items' must be a schema, but is an array"],
    [{ anyOf: [{ id: 'x' }] }, "OpenAPIV3Schema 'id' is not supported"],
    [root({ a: { type: 'string' } }), undefined],
  ])('rejects %j: %s', (schema, problem) => expect(unsupportedField(parseProps(schema))).toBe(problem));
});

describe('default values of a schema', () => {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object' } },
  };
  test.each<[string, Json, string[]]>([
    [
      'satisfy the schema',
      root({ a: { type: 'string', default: 3 } }),
      ['s.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"'],
    ],
    [
      'have no unknown fields',
      root({ a: { type: 'object', default: { b: 1 } } }),
      ['s.properties[a].default: Invalid value: {"b":1}: must not have unknown fields'],
    ],
    [
      'of embedded objects are whole',
      root({ a: { ...embedded, default: { kind: 'Pod' } } }),
      ['s.properties[a].default.apiVersion: Required value'],
    ],
    [
      'of metadata make valid metadata',
      root({ apiVersion: { type: 'string', default: 3 } }),
      [
        's.properties[apiVersion].default: Invalid value: 3: must result in valid metadata: apiVersion: Invalid value: 3: must be a string',
      ],
    ],
  ])('checks default values: they %s', (_, schema, expected) => {
    expect(validateDefaults(path, parseProps(schema), true).map(errorText)).toEqual(expected);
  });

  test('lose unknown fields in old schemas', () => {
    const schema = parseProps(
      root({ a: { type: 'object', properties: { b: { type: 'string' } }, default: { b: '', c: 1 } } }),
    );
    expect(pruneDefaults(schema)).toBe(true);
    expect(schema.properties?.get('a')?.default).toEqual({ b: '' });
    expect(pruneDefaults(schema)).toBe(false);
  });
});

describe('a path into a schema', () => {
  const schema = parseProps(
    root({
      spec: root({ a: { type: 'string' }, 'x.y': { type: 'string' } }),
      m: { type: 'object', additionalProperties: { type: 'integer' } },
    }),
  );
  test.each([
    ['.spec.a', ['spec', 'a']],
    [".spec['x.y']", ['spec', 'x.y']],
    ['.m.any', ['m', 'any']],
  ])('resolves the path %s', (text, names) => expect(validFieldPath(text, schema)).toMatchObject({ names }));

  test.each([
    ['.ghost', 'does not refer to a valid field'],
    ['spec', 'expected [ or . but got: spec'],
    ['.spec.', 'unexpected end of JSON path'],
    ['.spec[0]', 'expected single quoted string but got 0'],
    [".spec['a'", 'unexpected end of JSON path'],
  ])('rejects %s: %s', (text, problem) => expect(validFieldPath(text, schema)).toBe(problem));
});

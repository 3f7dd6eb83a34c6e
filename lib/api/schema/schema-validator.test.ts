import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { compile } from './compile.ts';
import { Correlation } from './correlation.ts';
import { Explainer } from './explain.ts';
import { parseProps } from './json-schema-props.ts';
import { SchemaValidator } from './schema-validator.ts';
import { ValidationBudget } from './validation-budget.ts';

const property = (schema: Json): Json => ({ type: 'object', properties: { a: schema } });
const errorsOf = (schema: Json, value: Json): string[] =>
  new SchemaValidator(parseProps(schema)).validate(value).map(errorText);

describe("validation with upstream's errors", () => {
  test.each<[string, Json, Json, string[]]>([
    ['type', { type: 'string' }, 1, ['a: Invalid value: "integer": a in body must be of type string: "integer"']],
    ['null', { type: 'string' }, null, ['a: Invalid value: "null": a in body must be of type string: "null"']],
    ['nullable', { type: 'string', nullable: true }, null, []],
    ['an integral float is an integer', { type: 'integer' }, 3.0, []],
    [
      'a float is no int32',
      { type: 'integer', format: 'int32' },
      1.5,
      [
        'a: Invalid value: "float64": a in body must be of type int32: "float64"',
        '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a',
      ],
    ],
    [
      'range of int32',
      { type: 'integer', format: 'int32' },
      2147483648,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'],
    ],
    [
      'int64 exactly',
      { type: 'integer', format: 'int64', maximum: 10 },
      9223372036854775807n,
      ['a: Invalid value: 9223372036854775807: a in body should be less than or equal to 10'],
    ],
    [
      'minimum',
      { type: 'integer', minimum: 3 },
      2,
      ['a: Invalid value: 2: a in body should be greater than or equal to 3'],
    ],
    [
      'exclusive minimum',
      { type: 'number', minimum: 0.5, exclusiveMinimum: true },
      0.5,
      ['a: Invalid value: 0.5: a in body should be greater than 0.5'],
    ],
    ['multiple', { type: 'integer', multipleOf: 3 }, 4, ['a: Invalid value: 4: a in body should be a multiple of 3']],
    [
      'multiple of nothing',
      { type: 'integer', multipleOf: 0 },
      4,
      ['a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0'],
    ],
    ['enum', { enum: ['x', 2] }, 'z', ['a: Unsupported value: "z": supported values: "x", "2"']],
    ['enum after Go conversion', { enum: [1] }, 1.5, []],
    ['maxLength counts code points', { type: 'string', maxLength: 2 }, '👍👍', []],
    ['maxLength', { type: 'string', maxLength: 1 }, 'ab', ['a: Too long: may not be more than 1 byte']],
    [
      'minLength',
      { type: 'string', minLength: 2 },
      'a',
      ['a: Invalid value: "a": a in body should be at least 2 chars long'],
    ],
    ['pattern', { type: 'string', pattern: '^b$' }, 'a', ['a: Invalid value: "a": a in body should match \'^b$\'']],
    [
      'format',
      { type: 'string', format: 'date' },
      '2023-02-29',
      ['a: Invalid value: "2023-02-29": a in body must be of type date: "2023-02-29"'],
    ],
    ['unknown format', { type: 'string', format: 'madeup' }, 'x', []],
    ['maxItems', { type: 'array', maxItems: 1 }, [1, 2], ['a: Too many: 2: must have at most 1 item']],
    ['minItems', { type: 'array', minItems: 1 }, [], ['a: Invalid value: 0: a in body should have at least 1 items']],
    ['maxProperties', { type: 'object', maxProperties: 0 }, { b: 1 }, ['a: Too many: 1: must have at most 0 items']],
    [
      'items',
      { type: 'array', items: { type: 'string' } },
      ['', 1],
      ['a[1]: Invalid value: "integer": a[1] in body must be of type string: "integer"'],
    ],
    ['required', { type: 'object', required: ['b', '__proto__'] }, { b: 1 }, ['a.__proto__: Required value']],
    [
      'values',
      { type: 'object', additionalProperties: { type: 'string' } },
      { 'x.y': 1 },
      ['a.x.y: Invalid value: "integer": a.x.y in body must be of type string: "integer"'],
    ],
    [
      'int or string',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"'],
    ],
    [
      'anyOf shows the best branch',
      { anyOf: [{ required: ['b'] }, { required: ['b'], maxProperties: 0 }] },
      { c: 1 },
      ['<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)', 'a.b: Required value'],
    ],
    [
      'oneOf with two',
      { oneOf: [{ required: ['b'] }, { required: ['c'] }] },
      { b: 1, c: 1 },
      ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'allOf',
      { allOf: [{ maximum: 1 }, { maximum: 5 }] },
      3,
      [
        'a: Invalid value: 3: a in body should be less than or equal to 1',
        '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
      ],
    ],
    [
      'not',
      { not: { required: ['b'] } },
      { b: 1 },
      ['<nil>: Invalid value: "": "a" must not validate the schema (not)'],
    ],
  ])('validates a value: %s', (_, schema, value, expected) => {
    expect(errorsOf(property(schema), { a: value })).toEqual(expected);
  });

  test('prefixes fields with the base', () => {
    const validator = new SchemaValidator(parseProps(property({ type: 'string' })));
    expect(validator.validate({ a: 1 }, { base: 'status' }).map(({ field }) => field)).toEqual(['status.a']);
  });

  test('accepts values with the names of JavaScript properties', () => {
    expect(errorsOf({ type: 'object', required: ['constructor'] }, {})).toEqual(['constructor: Required value']);
  });
});

describe('ratcheting of unchanged values', () => {
  const schema = parseProps({
    type: 'object',
    properties: {
      a: { type: 'string' },
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 1 } } },
      },
      set: { type: 'array', items: { type: 'string', maxLength: 1 } },
    },
  });
  test.each<[string, Json, Json, string[]]>([
    ['a wrong field', { a: 1 }, { a: 1, b: 2 }, []],
    ['a wrong field that changes', { a: 1 }, { a: 2 }, ['a']],
    ['a wrong item, by its key', { list: [{ k: 'x', v: 'long' }] }, { list: [{ k: 'y' }, { k: 'x', v: 'long' }] }, []],
    ['a wrong item of an atomic list', { set: ['long'] }, { set: ['long', 'b'] }, ['set[0]']],
    ['an unchanged atomic list', { set: ['long'] }, { set: ['long'], a: 'b' }, []],
  ])('accepts an update: %s', (_, old, value, fields) => {
    const correlation = new Correlation(value, old, schema);
    expect(new SchemaValidator(schema).validate(value, { correlation }).map(({ field }) => field)).toEqual(fields);
  });
});

const scalar = fc.constantFrom<Json>(null, true, 0, 1, 1.5, -3, 'a', 'abc', 'x-y');
const value = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
  ),
})).node;
const leaf = fc.constantFrom<Json>(
  { type: 'string', minLength: 2 },
  { type: 'integer', minimum: 1 },
  { type: 'number' },
  { enum: ['a', 1] },
  { required: ['a'] },
  { maxItems: 1 },
  { type: 'boolean', nullable: true },
);
const schema = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node')) }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('node') }),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }), not: tie('node') }),
  ),
})).node;

test('gives the same result in the quick check and the explanation', () => {
  fc.assert(
    fc.property(schema, value, (given, json) => {
      const budget = new ValidationBudget();
      const props = parseProps(given);
      const result = new Explainer('resource', budget).explain(props, {
        value: json,
        path: '',
        correlation: undefined,
      });
      expect(compile(props, { mode: 'resource', budget })(json)).toBe(result.valid);
    }),
    { numRuns: 500 },
  );
});

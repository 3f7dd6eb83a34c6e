import { describe, expect, test } from 'vitest';
import { Correlation } from '#lib/api/schema/correlation.ts';
import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { RuleMetrics } from './rule-metrics.ts';
import { RuleValidator } from './rule-validator.ts';

/** Schemas by topic. Rules are at the root unless a test specifies otherwise. */
const SPEC = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        name: { type: 'string' },
        'a-b.c': { type: 'string' },
        if: { type: 'boolean' },
        limit: { 'x-kubernetes-int-or-string': true },
        after: { type: 'string', format: 'date-time' },
        wait: { type: 'string', format: 'duration' },
        data: { type: 'string', format: 'byte' },
        gone: { type: 'string', nullable: true },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

type Rule = { readonly rule: string } & Readonly<Record<string, Json>>;

function messages(rules: readonly Rule[], object: Json, old?: Json, ratchet = false): string[] {
  const schema = parseProps({ ...SPEC, 'x-kubernetes-validations': [...rules] });
  const correlation = ratchet && old !== undefined ? new Correlation(object, old, schema) : undefined;
  const validator = RuleValidator.of(schema, schema, true);
  return (validator?.validate(object, old, { correlation }) ?? []).map(errorText);
}

const spec = (fields: Json): Json => ({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: fields });

const HOLD: readonly (readonly [string, Json])[] = [
  ["self.metadata.name == 'a' && self.kind == 'A'", {}],
  ["self.spec.a__dash__b__dot__c == 'x'", { 'a-b.c': 'x' }],
  ['self.spec.__if__', { if: true }],
  ['self.spec.if', { if: true }],
  ['!has(self.spec.if) && !has(self.spec.__if__)', {}],
  ['self.spec.limit == 5', { limit: 5 }],
  ["self.spec.limit == '5%'", { limit: '5%' }],
  ["self.spec.after > timestamp('2020-01-01T00:00:00Z')", { after: '2021-01-01T00:00:00Z' }],
  ["self.spec.wait == duration('90m')", { wait: '1h30m' }],
  ["self.spec.data == b'abc'", { data: 'YWJj' }],
  ['!has(self.spec.gone)', { gone: null }],
  ["self.spec.tags == ['b', 'a']", { tags: ['a', 'b'] }],
  ["self.spec.tags + ['a', 'c'] == ['a', 'b', 'c']", { tags: ['a', 'b'] }],
  [
    'self.spec.ports.map(p, p.port).sum() == 3',
    {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    },
  ],
  ["self.spec.labels.all(k, k.startsWith('x')) && self.spec.labels['x1'] == 'y'", { labels: { x1: 'y' } }],
  ['self.spec.any == self.spec.any', { any: { deep: [1, { a: null }] } }],
  ['self.spec.?size.orValue(7) == 7', {}],
  ["self.spec.labels['__proto__'] == 'y'", { labels: JSON.parse('{"__proto__":"y"}') as Json }],
];

describe('rules that hold', () => {
  test.each(HOLD)('accept a value: %s', (rule, fields) => expect(messages([{ rule }], spec(fields))).toEqual([]));
});

const FAIL: readonly (readonly [string, Rule, Json, readonly string[]])[] = [
  ['a rule', { rule: 'self.spec.size > 3' }, { size: 1 }, ['<nil>: Invalid value: failed rule: self.spec.size > 3']],
  ['a message', { rule: 'false', message: ' no ' }, {}, ['<nil>: Invalid value: no']],
  [
    'a message that is made',
    { rule: 'false', messageExpression: "'size ' + string(self.spec.size)" },
    { size: 4 },
    ['<nil>: Invalid value: size 4'],
  ],
  [
    'a message that fails',
    { rule: 'false', message: 'no', messageExpression: 'self.spec.name' },
    {},
    ['<nil>: Invalid value: no'],
  ],
  ['a place', { rule: 'false', fieldPath: '.spec.size', message: 'no' }, {}, ['spec.size: Invalid value: no']],
  [
    'a place by key',
    { rule: 'false', fieldPath: ".spec.labels['a']", message: 'no' },
    {},
    ['spec.labels[a]: Invalid value: no'],
  ],
  ['forbidden', { rule: 'false', reason: 'FieldValueForbidden', message: 'no' }, {}, ['<nil>: Forbidden: no']],
  ['required', { rule: 'false', reason: 'FieldValueRequired', message: 'no' }, {}, ['<nil>: Required value: no']],
  [
    'an absent field',
    { rule: 'self.spec.size > 3' },
    {},
    ['<nil>: Invalid value: "object": no such key: size evaluating rule: self.spec.size > 3'],
  ],
  [
    'an overload',
    { rule: 'self.spec.limit > 3' },
    { limit: 'x' },
    [
      `<nil>: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.spec.limit > 3`,
    ],
  ],
];

describe('rules that fail', () => {
  test.each(FAIL)('report errors: %s', (_, rule, fields, texts) =>
    expect(messages([rule], spec(fields))).toEqual(texts),
  );

  test('stop at the cost limit of one call', () => {
    const tags = Array.from({ length: 3000 }, (_, i) => `tag-${i}`);
    const rule = 'self.spec.tags.all(a, self.spec.tags.exists_one(b, a == b))';
    const [text, ...more] = messages([{ rule }, { rule: 'false' }], spec({ tags }));
    expect(text).toContain('no further validation rules will be run due to call cost exceeds limit for rule');
    expect(more).toEqual([]);
  });

  test('stop at the total budget', () => {
    const tags = Array.from({ length: 250 }, (_, i) => `tag-${i}`);
    const rule = 'self.spec.tags.all(a, self.spec.tags.exists_one(b, a == b))';
    const texts = messages(
      Array.from({ length: 60 }, () => ({ rule })),
      spec({ tags }),
    );
    expect(texts).toEqual([
      '<nil>: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });
});

const STEADY: Rule = { rule: 'self.spec.size == oldSelf.spec.size', message: 'changed' };
const OPTIONAL: Rule = {
  rule: 'oldSelf.hasValue() && self.spec.size == oldSelf.value().spec.size',
  message: 'changed',
  optionalOldSelf: true,
};
const CHANGES: readonly (readonly [string, Rule, Json | undefined, readonly string[]])[] = [
  ['a create', STEADY, undefined, []],
  ['no change', STEADY, spec({ size: 1 }), []],
  ['a change', STEADY, spec({ size: 2 }), ['<nil>: Invalid value: changed']],
  ['a create, optionally', OPTIONAL, undefined, ['<nil>: Invalid value: changed']],
  ['a change, optionally', OPTIONAL, spec({ size: 2 }), ['<nil>: Invalid value: changed']],
];

describe('transition rules (oldSelf)', () => {
  test.each(CHANGES)('compare with the old value: %s', (_, rule, old, texts) => {
    expect(messages([rule], spec({ size: 1 }), old)).toEqual(texts);
  });

  test('find the same item of a list of type map', () => {
    const ports = SPEC.properties.spec.properties.ports;
    const items = {
      ...ports.items,
      'x-kubernetes-validations': [{ rule: 'self.port == oldSelf.port', message: 'moved' }],
    };
    const schema = parseProps({ ...ports, items });
    const old = [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ];
    const now = [
      { name: 'b', port: 3 },
      { name: 'c', port: 4 },
      { name: 'a', port: 1 },
    ];
    const errors = RuleValidator.of(schema, schema, false)?.validate(now, old) ?? [];
    expect(errors.map(errorText)).toEqual(['[0]: Invalid value: moved']);
  });

  test('an update accepts unchanged values, except for transition rules', () => {
    const forgiven = (rule: string, now: Json, old: Json): boolean => {
      const schema = parseProps({ ...SPEC.properties.spec, 'x-kubernetes-validations': [{ rule }] });
      const validator = RuleValidator.of(schema, schema, false);
      return validator?.validate(now, old, { correlation: new Correlation(now, old, schema) }).length === 0;
    };
    expect(forgiven('false', { size: 1 }, { size: 1 })).toBe(true);
    expect(forgiven('self == oldSelf && false', { size: 1 }, { size: 1 })).toBe(false);
    expect(forgiven('false', { size: 2 }, { size: 1 })).toBe(false);
  });

  test('reports accepted problems as warnings', () => {
    const schema = parseProps({ ...SPEC.properties.spec, 'x-kubernetes-validations': [{ rule: 'self.size > 5' }] });
    const told: string[] = [];
    const value = { size: 1 };
    const correlation = new Correlation(value, value, schema);
    RuleValidator.of(schema, schema, false)?.validate(value, value, { correlation, warn: (text) => told.push(text) });
    expect(told).toEqual(['<nil>: Invalid value: failed rule: self.size > 5']);
  });

  test('cannot be compiled below items that their schema cannot have', () => {
    const items = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
    const schema = parseProps({ type: 'object', items });
    const errors = RuleValidator.of(schema, schema, false)?.validate([1], undefined) ?? [];
    expect(errors.map(errorText)[0]).toContain('rule compiler initialization error: failed to convert to declType');
  });
});

test('measures compilation once per schema, and evaluation once per value with rules', async () => {
  let now = 0;
  const metrics = new RuleMetrics({ monotonic: () => (now += 1000) });
  const schema = parseProps({
    type: 'array',
    items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
  });
  const validator = RuleValidator.of(schema, schema, false);
  for (const value of [[1, 2], [3]]) expect(validator?.validate(value, undefined, { metrics })).toEqual([]);
  const lines = (await expose([metrics])).split('\n').filter((line) => line.includes('_count '));
  expect(lines).toEqual([
    'apiserver_cel_compilation_duration_seconds_count 1',
    'apiserver_cel_evaluation_duration_seconds_count 5',
  ]);
});

describe('whole numbers written as floats', () => {
  const noting = (text: string): Json => decodeJson(Buffer.from(text), { literals: true }).value;

  test('are not integers to a rule', () => {
    const object = noting(
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":{"size":3.0,"limit":3.0,"ports":[{"name":"x","port":8e1}]}}',
    );
    const found = (rule: string): string[] => messages([{ rule }], object);
    expect(found('self.spec.size == 3')).toEqual([
      '<nil>: Invalid value: "object": invalid data, expected int, got float64 evaluating rule: self.spec.size == 3',
    ]);
    expect(found('self.spec.ports[0].port == 80')[0]).toContain('expected int, got float64');
    expect(found('self.spec.limit == 3')[0]).toContain(
      'expected XIntOrString value to be either a string or integer evaluating rule',
    );
  });

  test('are not integers to the rule of their own schema, nor as list items', () => {
    const integer = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
    const schema = parseProps({ type: 'object', properties: { n: integer, l: { type: 'array', items: integer } } });
    const found = (text: string): string[] =>
      (RuleValidator.of(schema, schema, false)?.validate(noting(text), undefined) ?? []).map(errorText);
    expect(found('{"n":3,"l":[3]}')).toEqual([]);
    expect(found('{"n":3.0,"l":[3,3.0]}')).toEqual([
      'n: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self > 0',
      'l[1]: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self > 0',
    ]);
  });
});

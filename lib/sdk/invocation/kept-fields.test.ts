import { expect, test } from 'vitest';
import { keptFields } from './kept-fields.ts';

const cycle: { self?: unknown } = {};
cycle.self = cycle;

test.each<[string, unknown, unknown]>([
  ['a number', 1, 1],
  ['a flag', false, false],
  ['null', null, null],
  ['text', 'a', 'a'],
  ['an object', { a: [1] }, { a: [1] }],
  ['a long text', 'x'.repeat(300), `${'x'.repeat(255)}…`],
  ['a large object', { a: 'x'.repeat(300) }, `{"a":"${'x'.repeat(249)}…`],
  ['an error', new Error('no room'), 'Error: no room'],
  ['a cycle', cycle, '[object Object]'],
  ['a bigint', 1n, '1'],
])('keeps the value of %s', (_, value, expected) => {
  expect(keptFields({ value })).toEqual({ fields: { value: expected } });
});

test('omits undefined fields, and those of the record itself', () => {
  expect(keptFields({ name: 'a', other: undefined }, { name: 'a' })).toEqual({});
  expect(keptFields({ name: 'b' }, { name: 'a' })).toEqual({ fields: { name: 'b' } });
});

test('keeps at most 16 fields', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, i]));
  expect(Object.keys(keptFields(many).fields ?? {})).toHaveLength(16);
});

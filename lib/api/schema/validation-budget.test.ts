import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { parseProps } from './json-schema-props.ts';
import { SchemaValidator } from './schema-validator.ts';

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const SPENT = '<nil>: Invalid value: "": must not need more than 500000 steps of validation';

/** The limit on processor time in ms. Without a budget it would be minutes. */
const MOST = 1500;

test.each<[string, JsonObject, Json]>([
  ['alternatives', { type: 'string', anyOf: times(5000, () => ({ maxLength: 0 })) }, 'x'],
  ['alternatives of which one holds', { type: 'string', oneOf: times(5000, (i) => ({ minLength: i + 1 })) }, 'x'],
  ['schemas that all hold', { type: 'string', allOf: times(5000, () => ({ maxLength: 1 })) }, 'x'],
  ['required fields', { type: 'object', required: times(5000, (i) => `r${i}`) }, {}],
  ['texts that are allowed', { type: 'string', enum: times(5000, (i) => `a-long-value-${i}`) }, 'x'],
  ['numbers that are allowed', { type: 'integer', enum: times(5000, (i) => i) }, 4999],
])('stops at the budget for many items and %s', (_, items, item) => {
  const validator = new SchemaValidator(parseProps(listOf(items)));
  const before = process.threadCpuUsage();
  const errors = validator.validate(times(20_000, () => item)).map(errorText);
  const { user, system } = process.threadCpuUsage(before);
  expect(errors.at(-1)).toBe(SPENT);
  expect((user + system) / 1000).toBeLessThan(MOST);
});

test('stops at the budget of patterns', () => {
  const validator = new SchemaValidator(parseProps(listOf({ type: 'string', pattern: '(a?){300}(a){300}[bc]' })));
  const before = process.threadCpuUsage();
  const errors = validator.validate(times(1000, () => 'a'.repeat(2000))).map(errorText);
  const { user, system } = process.threadCpuUsage(before);
  expect(errors.at(-1)).toBe('<nil>: Invalid value: "": must not need more than 200000000 steps of patterns');
  expect((user + system) / 1000).toBeLessThan(3 * MOST); // 26 s without a budget
});

test('has a budget for each object', () => {
  const validator = new SchemaValidator(
    parseProps(listOf({ type: 'string', anyOf: times(100, () => ({ minLength: 2 })) })),
  );
  for (let i = 0; i < 3; i++) expect(validator.validate(times(200, () => 'x')).map(errorText)).not.toContain(SPENT);
});

test('covers an object of the largest size whose values have two alternatives', () => {
  const validator = new SchemaValidator(parseProps(listOf({ anyOf: [{ type: 'integer' }, { type: 'string' }] })));
  expect(validator.validate(times(50_000, () => 'x'))).toEqual([]);
});

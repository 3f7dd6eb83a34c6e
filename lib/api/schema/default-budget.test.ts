import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { MAX_DEFAULTS } from './default-budget.ts';
import { applyDefaults } from './defaulting.ts';
import { parseProps } from './json-schema-props.ts';

const text = { type: 'string' };
const list = (property: Json): JsonObject => ({ items: { properties: { a: property } } });
const empties = (count: number): Json => Array.from({ length: count }, () => ({}));

describe('the budget of defaults', () => {
  test.each<[string, JsonObject, number]>([
    ['fields', list({ ...text, default: '' }), MAX_DEFAULTS.values],
    ['items of a default', list({ type: 'array', default: Array(99).fill(1) }), MAX_DEFAULTS.values / 100],
    ['bytes', list({ ...text, default: 'x'.repeat(9997) }), Math.floor(MAX_DEFAULTS.bytes / 10_000)],
    ['escaped bytes', list({ ...text, default: '<'.repeat(1666) }), Math.floor(MAX_DEFAULTS.bytes / 9999)],
  ])('covers %s up to the limit', (_, schema, most) => {
    const props = parseProps(schema);
    expect(applyDefaults(empties(most), props)).toBe(true);
    expect(applyDefaults(empties(most + 1), props)).toBe(false);
  });

  test('covers nulls that a default replaces', () => {
    const nulls = (count: number): Json => Array.from({ length: count }, () => null);
    const items = parseProps({ items: { ...text, default: 'x'.repeat(100_000) } });
    const values = parseProps({ additionalProperties: { ...text, default: 'x'.repeat(100_000) } });
    expect([applyDefaults(nulls(15), items), applyDefaults(nulls(16), items)]).toEqual([true, false]);
    expect(applyDefaults({ ...(nulls(16) as object) }, values)).toBe(false);
  });

  test('stops at the limit', () => {
    const value = empties(30_000) as JsonObject[];
    applyDefaults(value, parseProps(list({ ...text, default: 'x'.repeat(90_000) })));
    expect(value.filter((item) => Object.hasOwn(item, 'a')).length).toBeLessThan(MAX_DEFAULTS.bytes / 90_000);
  });

  test('does not visit properties without a default', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, text]));
    const props = parseProps({ items: { properties: { ...wide, last: { ...text, default: '' } } } });
    const before = process.threadCpuUsage();
    expect(applyDefaults(empties(20_000), props)).toBe(true);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000); // 400 million visits take several seconds
  });
});

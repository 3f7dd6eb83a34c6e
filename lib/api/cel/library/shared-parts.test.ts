import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** A value that contains itself twice over `levels` levels: so a short expression creates 2^levels leaves. */
const doubled = (levels: number, first: string, twice: (v: string) => string): string =>
  `[${first}]${`.map(v, ${twice('v')})`.repeat(levels)}`;
const lists = doubled(40, '[1]', (v) => `[${v}, ${v}]`);
const maps = doubled(40, '{"a": 1}', (v) => `{"a": ${v}, "b": ${v}}`);

describe('a short expression of an endless value', () => {
  test.each<[string, string, string]>([
    ['a list in a text', `"%s".format(${lists})`, 'error during formatting: text too long'],
    ['a map in a text', `"%s".format(${maps})`, 'error during formatting: text too long'],
    ['empty lists in a text', `"%s".format(${lists.replace('1', '')})`, 'error during formatting: text too long'],
    ['long clauses', `"${'%.1000000f'.repeat(30)}".format([${'1.0,'.repeat(30)}])`, 'text too long'],
    ['a list made flat', `${lists}.map(v, v.flatten(100))`, 'result too large'],
    ['empty lists made flat', `${lists.replace('1', '')}.map(v, v.flatten(100))`, 'result too large'],
  ])('is rejected: %s', (_, expression, message) => {
    expect(evaluated(expression).value).toEqual({ error: message });
  });

  test('counts elements without visiting each', () => {
    const { value, cost } = evaluated(`${lists}.map(v, [v].indexOf(v))`);
    expect(value).toEqual([0]);
    expect(cost).toBeGreaterThan(2 ** 40);
  });

  test('builds a text of many parts', () => {
    expect(evaluated('"%s".format([[[1, "a"], {"b": [true, null]}]])').value).toBe('[[1, "a"], {"b":[true, null]}]');
    expect(String(evaluated('"%s".format([lists.range(1000)])').value)).toHaveLength(4890);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareKeys } from '../keys.ts';
import { SortedMap } from './sorted-map.ts';

const key = fc.stringMatching(/^[a-d]\/[a-e]{1,3}$/);
const step = fc.tuple(fc.boolean(), key);

describe('the sorted map', () => {
  test('behaves like a map with ordered ranges', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.constantFrom('', 'a/', 'b/', 'd/', 'e/'),
        fc.option(key),
        (steps, prefix, after) => {
          const map = new SortedMap<number>();
          const model = new Map<string, number>();
          steps.forEach(([put, name], i) => {
            if (put) map.set(name, i);
            else map.delete(name);
            if (put) model.set(name, i);
            else model.delete(name);
          });
          const expected = [...model.keys()]
            .filter((name) => name.startsWith(prefix) && (after === null || name > after))
            .sort();
          expect([...map.keys(prefix, after ?? undefined)]).toEqual(expected);
          expect(map.count(prefix, after ?? undefined)).toBe(expected.length);
          expect(map.size).toBe(model.size);
          for (const [name, value] of model) expect(map.get(name)).toBe(value);
        },
      ),
    );
  });

  test('keeps its order over many chunks', () => {
    const map = new SortedMap<number>();
    const names = Array.from({ length: 5_000 }, (_, i) => `k/${(i * 7919) % 5_000}`.padEnd(8, '0'));
    names.forEach((name, i) => map.set(name, i));
    const sorted = [...new Set(names)].sort();
    expect([...map.keys('')]).toEqual(sorted);
    expect(map.count('k/1')).toBe(sorted.filter((name) => name.startsWith('k/1')).length);
    sorted.forEach((name, i) => i % 3 === 0 || map.delete(name));
    expect([...map.keys('k/')]).toEqual(sorted.filter((_, i) => i % 3 === 0));
  });

  test('orders keys like UTF-8, also beyond U+FFFF', () => {
    const map = new SortedMap<number>();
    for (const name of ['\u{1f600}', '\uffee', 'a', '\u{10000}']) map.set(name, 0);
    expect([...map.keys('')]).toEqual(['a', '\uffee', '\u{10000}', '\u{1f600}']);
    expect(['\u{1f600}', '\uffee'].sort(compareKeys)).toEqual(['\uffee', '\u{1f600}']);
  });
});

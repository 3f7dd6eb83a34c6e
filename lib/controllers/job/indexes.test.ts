import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstOutside, has, indexesText, numberInBoth, numberOf, plus, readIndexes, union } from './indexes.ts';

test.each<[string, number, string]>([
  ['', 9, ''],
  ['0,2-4,9', 10, '0,2-4,9'],
  ['0,2-4,9', 4, '0,2,3'],
  ['0-1', 9, '0,1'],
  ['0,1,2', 9, '0-2'],
  ['x,1,2-y,4', 9, '1,4'],
])('reads %j with %i completions as %j', (text, completions, expected) => {
  expect(indexesText(readIndexes(text, completions))).toBe(expected);
});

describe('indexes as sets of numbers', () => {
  const numbers = fc.uniqueArray(fc.nat(30));
  const of = (all: readonly number[]) => plus([], all);
  const sorted = (all: Iterable<number>): number[] => [...all].sort((a, b) => a - b);
  const within = (all: readonly number[]) => sorted(all.filter((one) => one < 31));

  test('formats and parses them', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const indexes = of(all);
        expect(readIndexes(indexesText(indexes), 31)).toEqual(indexes);
        expect(numberOf(indexes)).toBe(all.length);
        expect(within(Array.from({ length: 31 }, (_, i) => i).filter((i) => has(indexes, i)))).toEqual(sorted(all));
      }),
    );
  });

  test('computes unions and intersections', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(union(of(a), of(b))).toEqual(of([...new Set([...a, ...b])]));
        expect(numberInBoth(of(a), of(b))).toBe(a.filter((one) => b.includes(one)).length);
      }),
    );
  });

  test('finds the first missing indexes', () => {
    fc.assert(
      fc.property(numbers, fc.nat(30), fc.nat(10), (all, completions, number) => {
        const missing = Array.from({ length: completions }, (_, i) => i).filter((i) => !all.includes(i));
        expect(firstOutside(of(all), completions, number)).toEqual(missing.slice(0, number));
      }),
    );
  });
});

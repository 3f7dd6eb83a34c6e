import { expect, test } from 'vitest';
import { countIndexes, overlappingIndex, parseIndexes } from './indexes.ts';

test.each<[string, number | string]>([
  ['', 0],
  ['0,2-4,9', 5],
  ['3,2', 'non-increasing order, previous: 3, current: 2'],
  ['4-4', 'non-increasing order, previous: 4, current: 4'],
  ['a', 'cannot convert string to integer for index: "a"'],
  ['10', 'too large index: "10"'],
  [
    '1-2-3',
    `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
  ],
])('parsing the indexes %j returns %j', (indexes, expected) => {
  const parsed = parseIndexes(indexes, 10);
  expect(typeof parsed === 'string' ? parsed : countIndexes(parsed)).toBe(expected);
});

test('finds the first index that is in both texts', () => {
  expect(overlappingIndex('0-2,5', '3-4,6', 10)).toBeUndefined();
  expect(overlappingIndex('0-2,5-7', '3-4,6', 10)).toBe(6);
});

import { expect, test } from 'vitest';
import { isSelected, selectionErrors } from './selection.ts';

test.each<[string[], string, boolean]>([
  [['*'], 'a', true],
  [['*', '-a'], 'a', false],
  [['*', '-a'], 'b', true],
  [['a'], 'a', true],
  [['a'], 'b', false],
  [['-a'], 'b', false],
  [['a', '-a'], 'a', true],
  [[], 'a', false],
])('evaluates for the list %j whether controller %s runs: %s', (selection, name, runs) => {
  expect(isSelected(name, selection)).toBe(runs);
});

test('runs a controller that is off by default only if it is named', () => {
  expect(isSelected('a', ['*'], ['a'])).toBe(false);
  expect(isSelected('a', ['*', 'a'], ['a'])).toBe(true);
});

test('reports unknown controllers', () => {
  expect(selectionErrors(['*', 'a', '-b', '-c', 'd'], ['a', 'b'])).toEqual([
    '"c" is not in the list of known controllers',
    '"d" is not in the list of known controllers',
  ]);
});

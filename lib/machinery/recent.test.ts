import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

test('drops the least recently used entry first', () => {
  const made: string[] = [];
  const recent = new Recent<string, string>(10);
  const get = (key: string, weight = 4): string =>
    recent.get(key, weight, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect([get('a'), get('b'), get('a'), get('c'), get('a')]).toEqual(['A', 'B', 'A', 'C', 'A']);
  expect(made).toEqual(['a', 'b', 'c']);
  get('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  get('a');
  expect(made.length).toBe(4);
  get('large', 100);
  get('large', 100);
  expect(made.length).toBe(5);
});

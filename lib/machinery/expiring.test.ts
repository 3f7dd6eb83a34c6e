import { expect, test } from 'vitest';
import { Expiring } from './expiring.ts';

test('keeps a value until it expires, and drops the oldest value when full', () => {
  const cache = new Expiring<number>(2);
  cache.set('a', 1, 10);
  cache.set('b', 2, 20);
  expect([cache.get('a', 9), cache.get('a', 10), cache.get('b', 10), cache.get('c', 0)]).toEqual([
    1,
    undefined,
    2,
    undefined,
  ]);
  cache.set('a', 3, 30);
  cache.set('c', 4, 30);
  expect([cache.get('a', 0), cache.get('b', 0), cache.get('c', 0)]).toEqual([3, undefined, 4]);
});

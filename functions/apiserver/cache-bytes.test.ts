import { expect, test } from 'vitest';
import { cacheBytes } from './cache-bytes.ts';

const MIB = 2 ** 20;

test.each([
  [128, 0],
  [256, 22],
  [512, 124],
  [1_024, 329],
  [1_769, 627],
])('a function of %d MiB has caches of %d MiB', (memory, held) => {
  expect(Math.floor(cacheBytes(memory * MIB, Number.POSITIVE_INFINITY) / MIB)).toBe(held);
});

test('a smaller heap also limits the caches', () => {
  expect(cacheBytes(4_096 * MIB, 512 * MIB)).toBe(cacheBytes(512 * MIB, Number.POSITIVE_INFINITY));
});

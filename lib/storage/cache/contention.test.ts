import { expect, test } from 'vitest';
import { contended } from '#test/store/contention.ts';

test.each([
  { rate: 100, half: 30, most: 100 }, // the limit in docs/limits.md
  { rate: 150, half: 60, most: 600 },
])(
  'commits $rate writes a second from instances with one request each, at 5 ms to the store',
  async ({ rate, half, most }) => {
    const { times, refused } = await contended({ instances: 64, writes: 1000, rate });
    expect([times.length, refused]).toEqual([1000, 0]);
    const sorted = times.toSorted((a, b) => a - b);
    expect(sorted[500]).toBeLessThan(half);
    expect(sorted[990]).toBeLessThan(most);
  },
);

test.each([
  { instances: 4, rate: 200, half: 50, most: 250 },
  { instances: 1, rate: 1000, half: 30, most: 60 },
])('commits $rate writes a second from $instances shared instances', async ({ instances, rate, half, most }) => {
  const { times, refused } = await contended({ instances, writes: 1000, rate, shared: true });
  expect([times.length, refused]).toEqual([1000, 0]);
  const sorted = times.toSorted((a, b) => a - b);
  expect(sorted[500]).toBeLessThan(half);
  expect(sorted[990]).toBeLessThan(most);
});

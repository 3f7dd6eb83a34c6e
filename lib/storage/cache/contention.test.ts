import { expect, test } from 'vitest';
import { contended } from '#test/storage/contention.ts';

test.each([
  { rate: 100, half: 30, most: 100 }, // the bar of docs/limits.md
  { rate: 150, half: 60, most: 600 },
])(
  'instances that each serve one request share $rate writes a second at 5 ms to the store',
  async ({ rate, half, most }) => {
    const { times, refused } = await contended({ instances: 64, writes: 1000, rate });
    expect([times.length, refused]).toEqual([1000, 0]);
    const sorted = times.toSorted((a, b) => a - b);
    expect(sorted[500]).toBeLessThan(half);
    expect(sorted[990]).toBeLessThan(most);
  },
);

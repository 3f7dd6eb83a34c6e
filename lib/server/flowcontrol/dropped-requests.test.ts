import { expect, test } from 'vitest';
import { DroppedRequests } from './dropped-requests.ts';

/** The retry advice after each second, given the number of rejected requests per second. */
function advice(...perSecond: number[]): number[] {
  const dropped = new DroppedRequests();
  return perSecond.map((count, second) => {
    for (let i = 0; i < count; i++) dropped.record(1_000_000 + second * 1000 + i);
    return dropped.retryAfter;
  });
}

/** The rejections of a second count only after the first rejection in a later second. */
test.each([
  ['few requests are rejected', [1, 2, 1, 2], [1, 1, 1, 1]],
  ['many requests are rejected, which doubles it repeatedly', [3, 9, 9, 9, 9, 9, 9, 9], [1, 2, 2, 4, 4, 4, 4, 8]],
  [
    'rejections end, which lowers it step by step',
    [9, 9, 9, 9, 0, 0, 0, 0, 1, 1, 1],
    [1, 2, 2, 4, 4, 4, 4, 4, 3, 2, 2],
  ],
])('adjusts the advice if %s', (_, perSecond, expected) => {
  expect(advice(...perSecond)).toEqual(expected);
});

test('advises at most 32 seconds', () => {
  const seconds = Array.from<number>({ length: 200 }).fill(100);
  expect(Math.max(...advice(...seconds))).toBe(32);
});

import { expect, test } from 'vitest';
import { DroppedRequests } from './dropped-requests.ts';

/** The advice behind each second, where so many requests are refused in it. */
function advice(...perSecond: number[]): number[] {
  const dropped = new DroppedRequests();
  return perSecond.map((count, second) => {
    for (let i = 0; i < count; i++) dropped.record(1_000_000 + second * 1000 + i);
    return dropped.retryAfter;
  });
}

/** A second's refusals count from the first refusal of a later one on. */
test.each([
  ['few are refused', [1, 2, 1, 2], [1, 1, 1, 1]],
  ['many are: it doubles, each time behind its own length', [3, 9, 9, 9, 9, 9, 9, 9], [1, 2, 2, 4, 4, 4, 4, 8]],
  ['they cease: it goes back by one at a time', [9, 9, 9, 9, 0, 0, 0, 0, 1, 1, 1], [1, 2, 2, 4, 4, 4, 4, 4, 3, 2, 2]],
])('%s', (_, perSecond, expected) => {
  expect(advice(...perSecond)).toEqual(expected);
});

test('nobody is told to wait for longer than 32 seconds', () => {
  const seconds = Array.from<number>({ length: 200 }).fill(100);
  expect(Math.max(...advice(...seconds))).toBe(32);
});

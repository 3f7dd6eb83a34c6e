import { expect, test } from 'vitest';
import { requeueAfter } from './requeue-after.ts';

const DAY = 86_400_000;

test.each([
  ['no wait', [], undefined],
  ['one time', [5], { requeueAfter: 5 }],
  ['the earliest of several', [7, 3, DAY], { requeueAfter: 3 }],
  ['at most a day', [2 * DAY], { requeueAfter: DAY }],
])('requeues after the shortest wait: %s', (_name, waits, result) => {
  expect(requeueAfter(...waits)).toEqual(result);
});

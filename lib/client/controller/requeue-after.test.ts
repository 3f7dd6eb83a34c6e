import { expect, test } from 'vitest';
import { requeueAfter } from './requeue-after.ts';

const DAY = 86_400_000;

test.each([
  ['nothing to wait for', [], undefined],
  ['one time', [5], { requeueAfter: 5 }],
  ['the first of several', [7, 3, DAY], { requeueAfter: 3 }],
  ['a day at the latest', [2 * DAY], { requeueAfter: DAY }],
])('requeues after the shortest wait: %s', (_name, waits, result) => {
  expect(requeueAfter(...waits)).toEqual(result);
});

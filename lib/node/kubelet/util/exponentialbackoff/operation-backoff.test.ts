import { expect, test } from 'vitest';
import { OperationBackoff } from './operation-backoff.ts';

/** The ms after each of these failures until the operation may start again. */
function waits(failures: number): number[] {
  const backoff = new OperationBackoff();
  let now = 0;
  return Array.from({ length: failures }, () => {
    backoff.failed('mount', now);
    const failedAt = now;
    while (!backoff.mayStart('mount', now)) now++;
    return now - failedAt - 1;
  });
}

test('doubles the delay from half a second to two minutes and two seconds', () => {
  expect(waits(10)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 122_000, 122_000]);
});

test('starts over after a reset and delays no other operation', () => {
  const backoff = new OperationBackoff();
  for (let failures = 0; failures < 5; failures++) backoff.failed('mount', 0);
  expect([backoff.mayStart('mount', 500), backoff.mayStart('unmount', 0)]).toEqual([false, true]);
  backoff.reset('mount');
  expect([backoff.mayStart('mount', 0), backoff.isDue('mount', 0)]).toEqual([true, false]);
  backoff.failed('mount', 0);
  expect([backoff.isDue('mount', 500), backoff.isDue('mount', 501)]).toEqual([false, true]);
});

import { expect, test } from 'vitest';
import { pauseAfter } from '#local/eventually.ts';
import { until } from '../support/until.ts';

test('waits three times as long as a poll took', async () => {
  const pollMs = 20;
  const began: number[] = [];
  await until(() => {
    began.push(performance.now());
    for (const end = performance.now() + pollMs; performance.now() < end; );
    return began.length === 3;
  });
  const [first = 0, , third = 0] = began;
  expect(third - first).toBeGreaterThan(2 * (pollMs + pauseAfter(pollMs)) - 2); // a timer may fire a millisecond early
});

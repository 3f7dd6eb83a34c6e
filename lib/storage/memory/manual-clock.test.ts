import { expect, test } from 'vitest';
import { ManualClock } from './manual-clock.ts';

test('wakes sleepers in order when the clock passes their times', async () => {
  const clock = new ManualClock(1_000);
  const woken: string[] = [];
  const late = clock.sleep(20).then(() => woken.push('late'));
  const early = clock.sleep(10).then(() => woken.push('early'));
  clock.advance(9);
  await Promise.resolve();
  expect(woken).toEqual([]);
  clock.advance(20);
  await Promise.all([late, early]);
  expect(woken).toEqual(['early', 'late']);
  expect([clock.now(), clock.monotonic()]).toEqual([1_029, 29]);
});

test('ends an aborted sleep at once', async () => {
  const stop = new AbortController();
  const slept = new ManualClock().sleep(1_000, stop.signal);
  stop.abort();
  await expect(slept).resolves.toBeUndefined();
});

import { expect, test } from 'vitest';
import { StepClock } from '../testing/step-clock.ts';
import { readyWithin } from './ready-within.ts';

const forever = new AbortController().signal;

test.each([
  ['is ready already', 0, 1000, true],
  ['becomes ready in time', 900, 1000, true],
  ['becomes ready too late', 1200, 1000, false],
])('waits for a node that %s', async (_, after, within, expected) => {
  const clock = new StepClock();
  const start = clock.monotonic();
  expect(await readyWithin(clock, () => clock.monotonic() - start >= after, within, forever)).toBe(expected);
  expect(clock.monotonic() - start).toBeLessThanOrEqual(within);
});

test('ends the wait for a node when its signal aborts', async () => {
  expect(await readyWithin(new StepClock(), () => false, Infinity, AbortSignal.abort())).toBe(false);
});

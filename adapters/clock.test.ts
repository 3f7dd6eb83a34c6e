import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { frozenClock, systemClock } from './clock.ts';

const HOUR = 3_600_000;

test('a sleep ends in time or when the signal aborts, and does not start with an aborted signal', async () => {
  const ending = new AbortController();
  const woken: string[] = [];
  const sleep = async (name: string, milliseconds: number): Promise<void> => {
    await systemClock.sleep(milliseconds, ending.signal);
    woken.push(name);
  };
  const long = [sleep('an hour', HOUR), sleep('two hours', 2 * HOUR)];
  await sleep('a moment', 1);
  ending.abort();
  await Promise.all(long);
  await sleep('late', HOUR);
  expect(woken).toEqual(['a moment', 'an hour', 'two hours', 'late']);
});

test('sleeps on the same signal share one listener', () => {
  const ending = new AbortController();
  for (let i = 0; i < 100; i++) void systemClock.sleep(HOUR, ending.signal);
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1);
  ending.abort();
});

test('a sleep of months outlasts the longest timer', async () => {
  vi.useFakeTimers();
  let isAwake = false;
  const asleep = systemClock.sleep(60 * 24 * HOUR).then(() => (isAwake = true));
  await vi.advanceTimersByTimeAsync(60 * 24 * HOUR - 1);
  expect(isAwake).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await asleep;
  vi.useRealTimers();
});

test('a sleep until a past time ends in the next turn, without a warning', async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', listen);
  await systemClock.sleep(-5);
  await systemClock.sleep(0);
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});

test('time passes for a frozen function', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const [frozen, monotonic] = [frozenClock.monotonic(), systemClock.monotonic()];
  vi.setSystemTime(Date.now() + HOUR);
  expect(frozenClock.monotonic() - frozen).toBeCloseTo(HOUR, -3);
  expect(systemClock.monotonic() - monotonic).toBeLessThan(HOUR);
  vi.useRealTimers();
});

import { expect, test } from 'vitest';
import { eventually, pauseAfter } from './eventually.ts';

/** Keeps the processor busy for a number of milliseconds. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test.each([
  ['5 ms after a poll that took no time', 0, 5],
  ['three times as long as the poll took', 20, 60],
  ['half a second at most', 4_000, 500],
])('waits before the next poll %s', (_, tookMs, pauseMs) => {
  expect(pauseAfter(tookMs)).toBe(pauseMs);
});

test('spends at most a quarter of the time on polls', async () => {
  const [pollMs, timeout] = [20, 200];
  let polls = 0;
  const poll = (): never => {
    polls++;
    work(pollMs);
    throw new Error(`poll ${polls}`);
  };
  await expect(eventually(poll, { timeout })).rejects.toThrow(/^poll \d$/);
  expect(polls).toBeLessThanOrEqual(Math.ceil(timeout / (pollMs + pauseAfter(pollMs))) + 1);
});

test('returns the value of the first poll that does not throw', async () => {
  const answers = [undefined, undefined, 'done'];
  const poll = (): string => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error('not yet');
    return answer;
  };
  await expect(eventually(poll)).resolves.toBe('done');
});

test('polls while a condition is false, and then throws its source or the last state', async () => {
  const answers = [false, false, true];
  await expect(eventually(() => answers.shift() ?? true)).resolves.toBe(true);
  expect(answers).toEqual([]);
  const isDone = (): boolean => false;
  await expect(eventually(isDone, { timeout: 1 })).rejects.toThrow('not within 1 ms: () => false');
  const seen = (): string => 'two of three';
  await expect(eventually(isDone, { timeout: 1, seen })).rejects.toThrow('not within 1 ms: two of three');
});

import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { Backoff } from './backoff.ts';

const aBackoff = (expiresAfter?: number) => {
  const clock = new ManualClock(0);
  const bounds = { clock, initial: 10, max: 40 };
  return { clock, backoff: new Backoff(expiresAfter === undefined ? bounds : { ...bounds, expiresAfter }) };
};

test('doubles a delay up to its maximum', () => {
  const { backoff } = aBackoff();
  const delays = [0, 0, 0, 0].map((time) => {
    backoff.next('a', time);
    return backoff.get('a');
  });
  expect(delays).toEqual([10, 20, 40, 40]);
  expect(backoff.get('b')).toBe(0);
});

test('reports a key in back-off until the delay has passed since the event', () => {
  const { clock, backoff } = aBackoff();
  backoff.next('a', 0);
  clock.advance(9);
  expect([backoff.isInBackOffSince('a', 0), backoff.isInBackOffSince('b', 0)]).toEqual([true, false]);
  expect([backoff.isInBackOffSinceUpdate('a', 9), backoff.isInBackOffSinceUpdate('a', 10)]).toEqual([true, false]);
  clock.advance(1);
  expect(backoff.isInBackOffSince('a', 0)).toBe(false);
});

test.each([
  [undefined, 80],
  [30, 30],
])('restarts a key that expires after %j once %j has passed', (expiresAfter, after) => {
  const { clock, backoff } = aBackoff(expiresAfter);
  backoff.next('a', 0);
  backoff.next('a', after);
  expect(backoff.get('a')).toBe(20);
  clock.advance(after + 1);
  backoff.next('a', after + 1);
  expect(backoff.get('a')).toBe(10);
});

test('forgets keys by a reset and by garbage collection', () => {
  const { clock, backoff } = aBackoff();
  backoff.next('a', 0);
  backoff.next('b', 0);
  backoff.reset('a');
  expect([backoff.get('a'), backoff.get('b')]).toEqual([0, 10]);
  clock.advance(81);
  backoff.collect();
  expect(backoff.get('b')).toBe(0);
});

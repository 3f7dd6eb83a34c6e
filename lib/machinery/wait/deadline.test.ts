import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { deadline } from './deadline.ts';

test.each([
  ['its default error', undefined, 'TimeoutError'],
  ['the error of its caller', () => new RangeError('late'), 'RangeError'],
])('aborts at its time with %s', async (_, error, name) => {
  const clock = new ManualClock();
  using late = deadline(100, { clock, ...(error && { error }) });
  clock.advance(99);
  await settled();
  expect(late.signal.aborted).toBe(false);
  clock.advance(1);
  await settled();
  expect(late.signal.reason).toMatchObject({ name });
});

test('clears its timer when it is disposed, and never aborts then', async () => {
  const clock = new ManualClock();
  const late = deadline(100, { clock });
  expect(clock.sleeping).toBe(1);
  late[Symbol.dispose]();
  expect(clock.sleeping).toBe(0);
  clock.advance(1000);
  await settled();
  expect(late.signal.aborted).toBe(false);
});

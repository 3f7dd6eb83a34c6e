import { expect, test } from 'vitest';
import { madeOnce } from './made-once.ts';

test('makes a value on first use, once for all callers', async () => {
  let calls = 0;
  const value = madeOnce(async () => ++calls);
  expect(calls).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test('makes a value again for the next caller after a failure', async () => {
  let calls = 0;
  const value = madeOnce(async () => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  await expect(Promise.all([value(), value()])).rejects.toThrow('not yet');
  expect(await value()).toBe(2);
});

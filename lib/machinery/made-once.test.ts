import { expect, test } from 'vitest';
import { madeOnce } from './made-once.ts';

test('a value is made when it is asked for first, and once for all that ask', async () => {
  let calls = 0;
  const value = madeOnce(async () => ++calls);
  expect(calls).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test('a value that could not be made is made again for the next that asks', async () => {
  let calls = 0;
  const value = madeOnce(async () => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  await expect(Promise.all([value(), value()])).rejects.toThrow('not yet');
  expect(await value()).toBe(2);
});

import { expect, test } from 'vitest';
import { conflict } from '#lib/machinery/errors.ts';
import { inSlowStart } from './batches.ts';

test.each([
  [0, []],
  [1, [1]],
  [6, [1, 2, 3]],
  [7, [1, 2, 4]],
  [20, [1, 2, 4, 8, 5]],
])('creates %i in growing batches', async (number, sizes) => {
  const batches: number[] = [];
  let started = 0;
  const work = async (): Promise<void> => {
    started++;
    await Promise.resolve();
    batches.push(started);
    started = 0;
  };
  expect(await inSlowStart(Array.from({ length: number }), work)).toBeUndefined();
  expect(batches.filter((size) => size > 0)).toEqual(sizes);
});

test('starts no batch after a refusal', async () => {
  const refusal = conflict({ group: '', resource: 'pods' }, 'p', 'changed');
  const begun: number[] = [];
  const work = async (one: number): Promise<void> => {
    begun.push(one);
    if (one === 2) throw refusal;
  };
  expect(await inSlowStart([1, 2, 3, 4, 5], work)).toBe(refusal);
  expect(begun).toEqual([1, 2, 3]);
});

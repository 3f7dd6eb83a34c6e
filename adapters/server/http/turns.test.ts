import { expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { Turns } from './turns.ts';

test('lets a few callers continue at once and the same number in each turn, first come first served', async () => {
  const turns = new Turns({ slice: 8, atOnce: 8 });
  const gone: number[] = [];
  for (let i = 0; i < 20; i++) void turns.next().then(() => gone.push(i));
  const counts: number[] = [];
  for (let i = 0; i < 4; i++) {
    await Promise.resolve();
    counts.push(gone.length);
    await settled();
  }
  expect(counts).toEqual([8, 16, 20, 20]);
  expect(gone).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test('queues a returning caller after those that wait', async () => {
  const turns = new Turns({ slice: 8, atOnce: 8 });
  const gone: string[] = [];
  const greedy = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await turns.next();
      gone.push('greedy');
    }
  };
  void greedy();
  for (let i = 0; i < 8; i++) void turns.next().then(() => gone.push(`other ${i}`));
  await settled(4);
  expect(gone.indexOf('other 7')).toBeLessThan(gone.lastIndexOf('greedy'));
  expect(gone.filter((who) => who === 'greedy')).toHaveLength(3);
});

test('queues a caller that may not continue at once', async () => {
  const turns = new Turns({ slice: 2, atOnce: 0 });
  const gone: number[] = [];
  for (let i = 0; i < 3; i++) void turns.next().then(() => gone.push(i));
  await Promise.resolve();
  expect(gone).toEqual([]);
  await settled();
  expect(gone).toEqual([0, 1]);
  await settled();
  expect(gone).toEqual([0, 1, 2]);
});

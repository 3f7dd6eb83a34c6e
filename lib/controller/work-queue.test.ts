import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { WorkQueue } from './work-queue.ts';

test.each([
  ['the first of several times counts, and the others are forgotten', [500, 1000, 200], [200]],
  ['a later time waits for its own', [200], [200]],
])('%s', async (_, asked, ran) => {
  const clock = new ManualClock();
  const runs: number[] = [];
  const reconcile = async (): Promise<undefined> => void runs.push(clock.monotonic());
  const queue = new WorkQueue({
    reconciler: { name: 'one', keys: () => [], reconcile },
    clock,
    workers: 1,
    random: () => 0,
    onError: (_key, error) => expect(error).toBeUndefined(),
  });
  queue.start();
  for (const milliseconds of asked) queue.addAfter('key', milliseconds);
  for (let i = 0; i < 20; i++) {
    clock.advance(100);
    await turn();
  }
  expect(runs).toEqual(ran);
  queue.addAfter('key', 300);
  clock.advance(300);
  await turn();
  expect(runs).toEqual([...ran, 2300]);
  await queue.close();
});

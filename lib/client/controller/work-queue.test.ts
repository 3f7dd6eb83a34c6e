import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import type { Reconciler } from './reconciler.ts';
import { WorkQueue } from './work-queue.ts';

test('redrives a key that was given up, but not a finished key', async () => {
  const runs: string[] = [];
  const observed: unknown[] = [];
  let isMended = false;
  const queue = new WorkQueue({
    reconciler: {
      name: 'one',
      keys: () => [],
      async reconcile(key) {
        runs.push(key);
        if (key === 'failing' && !isMended) throw new Error('not yet');
        return key === 'done' || isMended ? undefined : { terminal: 'never' };
      },
    },
    clock: new ManualClock(),
    workers: 1,
    random: () => 0,
    onError: () => undefined,
    observe: (attempt, run) => {
      observed.push(attempt);
      return run();
    },
  });
  queue.start();
  for (const key of ['done', 'given up', 'failing']) queue.add(key, { version: 7 });
  await settled();
  expect(runs.splice(0)).toEqual(['done', 'given up', 'failing']);
  isMended = true;
  expect(queue.redrive()).toBe(2);
  await settled();
  expect(runs).toEqual(['given up', 'failing']);
  expect(observed).toContainEqual({ reconciler: 'one', key: 'done', attempt: 1, version: 7 });
  expect(observed.at(-1)).toEqual({ reconciler: 'one', key: 'failing', attempt: 2 });
  expect(queue.redrive()).toBe(0);
  await queue.close();
});

test.each([
  ['only at the earliest of several times', [500, 1000, 200], [200]],
  ['at its own time if added later', [200], [200]],
])('runs a delayed key %s', async (_, asked, ran) => {
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
    await settled();
  }
  expect(runs).toEqual(ran);
  queue.addAfter('key', 300);
  clock.advance(300);
  await settled();
  expect(runs).toEqual([...ran, 2300]);
  await queue.close();
});

const turnsApart = (clock: ManualClock, reconcile: Reconciler['reconcile']): WorkQueue =>
  new WorkQueue({
    reconciler: { name: 'one', keys: () => [], apart: 100, reconcile },
    clock,
    workers: 1,
    random: () => 0,
    onError: (_key, error) => expect(error).toBeUndefined(),
  });

test('spaces reconciliations of one key as its reconciler requests, while other keys run', async () => {
  const clock = new ManualClock();
  const runs: string[] = [];
  const reconcile = async (key: string): Promise<undefined> => void runs.push(`${key} ${clock.monotonic()}`);
  const queue = turnsApart(clock, reconcile);
  queue.start();
  for (const [key, after] of [
    ['a', 0],
    ['a', 10],
    ['b', 10],
    ['a', 80],
    ['b', 10],
  ] as const) {
    queue.add(key);
    await settled();
    clock.advance(after);
    await settled();
  }
  expect(runs).toEqual(['a 0', 'b 10', 'a 100', 'b 110']);
  await queue.close();
});

test.each([
  [10, 100],
  [50, 150],
  [5000, 1000],
])('spaces a key after a reconciliation of %i ms by %i ms', async (took, rest) => {
  const clock = new ManualClock();
  const runs: number[] = [];
  const reconcile = async (): Promise<undefined> => {
    runs.push(clock.monotonic());
    clock.advance(took);
    return undefined;
  };
  const queue = turnsApart(clock, reconcile);
  queue.start();
  queue.add('key');
  await settled();
  queue.add('key');
  clock.advance(rest - 1);
  await settled();
  clock.advance(1);
  await settled();
  expect(runs).toEqual([0, took + rest]);
  await queue.close();
});

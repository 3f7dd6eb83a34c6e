import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reloadFile } from './reload-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-reload-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Between two looks one of the steps happens; behind the last nobody looks any more. */
async function applied(path: string, steps: readonly (() => Promise<void>)[], apply: () => Promise<void>) {
  const ending = new AbortController();
  const faults: unknown[] = [];
  let turn = 0;
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async () => {
      await steps[turn++]?.();
      if (turn > steps.length) ending.abort();
    },
  };
  await reloadFile({ path, apply, clock, signal: ending.signal, reportFault: (error) => void faults.push(error) });
  return faults;
}

test('applies what has changed, once', async () => {
  const path = join(folder, 'changes');
  const to = (text: string) => () => writeFile(path, text);
  await to('a')();
  let count = 0;
  expect(await applied(path, [to('a'), to('b'), to('b'), to('a')], async () => void count++)).toEqual([]);
  expect(count).toBe(2);
});

test('what is wrong is reported once, and what follows is applied', async () => {
  const path = join(folder, 'wrong');
  const to = (text: string) => () => writeFile(path, text);
  await to('a')();
  const outcomes = ['no', 'yes'];
  const apply = async () => {
    if (outcomes.shift() === 'no') throw new Error('wrong');
  };
  expect(await applied(path, [to('b'), to('b'), to('c')], apply)).toEqual([new Error('wrong')]);
  expect(outcomes).toEqual([]);
});

test('a file that is gone changes nothing', async () => {
  const path = join(folder, 'gone');
  await writeFile(path, 'a');
  let count = 0;
  const faults = await applied(path, [() => unlink(path), () => writeFile(path, 'a')], async () => void count++);
  expect([count, faults.length]).toEqual([0, 1]);
});

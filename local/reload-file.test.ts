import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigReloads } from '#lib/machinery/metrics/config-reloads.ts';
import { reloadFile } from './reload-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-reload-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs one of the steps between two polls. Polling ends after the last step. */
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
  const reloads = new ConfigReloads({ of: 'encryption', server: 'here', clock });
  const reportFault = (error: unknown): void => void faults.push(error);
  await reloadFile({ path, apply, reloads, clock, signal: ending.signal, reportFault });
  const told = reloads.collect().find(({ name }) => name.endsWith('_reloads_total'))?.samples ?? [];
  const counted = Object.fromEntries(told.map(({ labels, value }) => [labels['status'], value]));
  return { faults, counted };
}

test('applies a change only once', async () => {
  const path = join(folder, 'changes');
  const to = (text: string) => () => writeFile(path, text);
  await to('a')();
  let count = 0;
  const told = await applied(path, [to('a'), to('b'), to('b'), to('a')], async () => void count++);
  expect(told).toEqual({ faults: [], counted: { success: 2 } });
  expect(count).toBe(2);
});

test('reports an invalid file once, retries it, and applies the next valid one', async () => {
  const path = join(folder, 'wrong');
  const to = (text: string) => () => writeFile(path, text);
  await to('a')();
  const outcomes = ['no', 'no', 'yes'];
  const apply = async () => {
    if (outcomes.shift() === 'no') throw new Error('wrong');
  };
  expect(await applied(path, [to('b'), to('b'), to('c')], apply)).toEqual({
    faults: [new Error('wrong')],
    counted: { failure: 2, success: 1 },
  });
  expect(outcomes).toEqual([]);
});

test('changes nothing if the file disappears', async () => {
  const path = join(folder, 'gone');
  await writeFile(path, 'a');
  let count = 0;
  const told = await applied(path, [() => unlink(path), () => writeFile(path, 'a')], async () => void count++);
  expect([count, told.faults.length, told.counted]).toEqual([0, 1, { failure: 1 }]);
});

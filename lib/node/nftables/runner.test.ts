import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { BoundedFrequencyRunner } from './runner.ts';

function setup(results: (number | Error | undefined)[] = []) {
  const clock = new ManualClock();
  const runs: number[] = [];
  const faults: unknown[] = [];
  const runner = new BoundedFrequencyRunner({
    clock,
    minInterval: 1000,
    maxInterval: 3_600_000,
    retryInterval: 2000,
    maxRetryInterval: 30_000,
    async work() {
      runs.push(clock.monotonic());
      const result = results.shift();
      if (result instanceof Error) throw result;
      return result;
    },
    onFault: (error) => void faults.push(error),
  });
  const ending = new AbortController();
  const running = runner.run(ending.signal);
  const passed = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= 100) {
      clock.advance(100);
      await settled();
    }
  };
  const end = async (): Promise<void> => {
    ending.abort();
    await running;
  };
  return { runner, runs, faults, passed, end };
}

test('waits for a trigger and then runs at once', async () => {
  const { runner, runs, passed, end } = setup();
  await passed(5000);
  expect(runs).toEqual([]);
  runner.trigger();
  await settled();
  expect(runs).toEqual([5000]);
  await end();
});

test('combines the triggers within a second after a run in one run', async () => {
  const { runner, runs, passed, end } = setup();
  runner.trigger();
  await settled();
  for (let i = 0; i < 5; i++) {
    runner.trigger();
    await passed(100);
  }
  await passed(2000);
  expect(runs).toEqual([0, 1000]);
  await end();
});

test('retries failures after increasing delays', async () => {
  const { runner, runs, faults, passed, end } = setup([1, 2, 3, 4, 5, 6].map(() => new Error('no')));
  runner.trigger();
  await settled();
  await passed(100_000);
  expect(runs).toEqual([0, 2000, 6000, 14_000, 30_000, 60_000, 90_000]);
  expect(faults.length).toBe(6);
  await end();
});

test('schedules the next run as requested, and runs earlier on a trigger', async () => {
  const { runner, runs, passed, end } = setup([1500, 10_000]);
  runner.trigger();
  await settled();
  await passed(3000);
  runner.trigger();
  await settled();
  expect(runs).toEqual([0, 1500, 3000]);
  await end();
});

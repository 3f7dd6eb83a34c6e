import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { atMost, within } from './within.ts';

const late = new Error('late');
const gone = new Error('gone');

/** Work that takes 100 ms and then ends with the given result or error. */
const lasting = (clock: ManualClock, end: string | Error) => async (): Promise<string> => {
  await clock.sleep(100);
  if (end instanceof Error) throw end;
  return end;
};

/** Lets time pass in steps of 10 ms, with all pending work done after each. */
async function pass(clock: ManualClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    clock.advance(10);
    await settled();
  }
}

test.each([
  ['resolves', 'done'],
  ['rejects', new Error('broken')],
])('%s like work that ends in time, and clears its timer', async (_, end) => {
  const clock = new ManualClock();
  const result = within(101, lasting(clock, end), { clock, error: () => late }).catch((error: unknown) => error);
  await pass(clock, 100);
  expect(await result).toBe(end);
  expect(clock.sleeping).toBe(0);
});

test('rejects with the error of its caller at the time-out, and aborts the work with it', async () => {
  const clock = new ManualClock();
  let own: AbortSignal | undefined;
  const work = (signal: AbortSignal): Promise<string> => {
    own = signal;
    return lasting(clock, new Error('too late'))();
  };
  const result = within(99, work, { clock, error: () => late });
  const outcome = expect(result).rejects.toBe(late);
  await pass(clock, 100); // the work rejects too, which is handled
  await outcome;
  expect(own?.reason).toBe(late);
  expect(clock.sleeping).toBe(0);
});

test('rejects with the reason of a signal that aborts first, and aborts the work with it', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  let own: AbortSignal | undefined;
  const work = (signal: AbortSignal): Promise<string> => {
    own = signal;
    return lasting(clock, 'done')();
  };
  const result = within(1000, work, { clock, signal: controller.signal, error: () => late });
  controller.abort(gone);
  await expect(result).rejects.toBe(gone);
  expect(own?.reason).toBe(gone);
  await pass(clock, 100);
  expect(clock.sleeping).toBe(0);
});

test('waits for the grace period after the time-out', async () => {
  const clock = new ManualClock();
  const options = { clock, error: () => late };
  const results = Promise.allSettled([
    within(50, lasting(clock, 'done'), { ...options, grace: 60 }),
    within(50, lasting(clock, 'done'), { ...options, grace: 40 }),
  ]);
  await pass(clock, 110);
  expect(await results).toEqual([
    { status: 'fulfilled', value: 'done' },
    { status: 'rejected', reason: late },
  ]);
  expect(clock.sleeping).toBe(0);
});

test('clears its timer after work that throws at once', async () => {
  const clock = new ManualClock();
  const work = (): Promise<never> => {
    throw gone;
  };
  await expect(within(100, work, { clock, error: () => late })).rejects.toBe(gone);
  expect(clock.sleeping).toBe(0);
});

test('resolves with undefined at a soft time-out and after an abort, and aborts the work', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return lasting(clock, 'done')();
  };
  const results = Promise.all([atMost(99, work, { clock }), atMost(1000, work, { clock, signal: controller.signal })]);
  controller.abort(gone);
  await pass(clock, 100);
  expect(await results).toEqual([undefined, undefined]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('rejects with the error of work that has a soft time-out', async () => {
  const clock = new ManualClock();
  const result = expect(atMost(101, lasting(clock, gone), { clock })).rejects.toBe(gone);
  await pass(clock, 100);
  await result;
});

test('ends with the first of work, time-out and abort, and leaves no timer and no listener', async () => {
  const times = fc.integer({ min: 1, max: 20 }).map((steps) => steps * 10);
  const cases = fc.record({ takes: times, limit: times, abortsAt: times, fails: fc.boolean(), grace: times });
  await fc.assert(
    fc.asyncProperty(cases, async ({ takes, limit, abortsAt, fails, grace }) => {
      const clock = new ManualClock();
      const controller = new AbortController();
      const work = async (): Promise<string> => {
        await clock.sleep(takes - 2);
        if (fails) throw gone;
        return 'done';
      };
      const options = { clock, signal: controller.signal, error: () => late, grace: grace - 5 };
      let left: unknown;
      const outcome = within(limit - 1, work, options)
        .catch((error: Error) => error.message)
        .finally(() => (left = getEventListeners(controller.signal, 'abort')));
      void clock.sleep(abortsAt).then(() => controller.abort(new Error('aborted')));
      await pass(clock, 600);
      const ended = fails ? 'gone' : 'done';
      const [over, why] = limit <= abortsAt ? [limit, 'late'] : [abortsAt, 'aborted'];
      expect(await outcome).toBe(takes <= over + grace - 5 ? ended : why);
      expect(clock.sleeping).toBe(0);
      expect(left).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aborted, onAbort } from './on-abort.ts';
import { unlessAborted, untilAborted } from './unless-aborted.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const gone = new Error('gone');

/** Work that ends on demand, and a signal. */
function begun() {
  const { promise: work, resolve, reject } = Promise.withResolvers<string>();
  return { work, resolve, reject, controller: new AbortController() };
}

test.each([
  ['resolves as its work does', 'done'],
  ['rejects as its work does', new Error('broken')],
])('%s, and leaves no listener', async (_, end) => {
  const { work, resolve, reject, controller } = begun();
  const result = unlessAborted(work, controller.signal);
  expect(listenersOf(controller.signal)).toBe(1);
  if (typeof end === 'string') resolve(end);
  else reject(end);
  expect(await result.catch((error: unknown) => error)).toBe(end);
  expect(listenersOf(controller.signal)).toBe(0);
});

test.each([
  ['before the call', true],
  ['during the work', false],
])('rejects with the reason of a signal that aborts %s, and handles a later rejection', async (_, isBefore) => {
  const { work, reject, controller } = begun();
  if (isBefore) controller.abort(gone);
  const result = unlessAborted(work, controller.signal);
  controller.abort(gone);
  await expect(result).rejects.toBe(gone);
  reject(new Error('too late')); // an unhandled rejection fails the run
  await Promise.allSettled([work]);
});

test('rejects with the error of its caller after an abort', async () => {
  const { work, controller } = begun();
  const result = unlessAborted(work, controller.signal, { error: () => new Error('context canceled') });
  controller.abort(gone);
  await expect(result).rejects.toThrow('context canceled');
});

test('waits for the grace period after an abort, and returns a result within it', async () => {
  const clock = new ManualClock();
  const grace = { clock, milliseconds: 100 };
  const [late, inTime] = [begun(), begun()];
  const results = [late, inTime].map(({ work, controller }) => unlessAborted(work, controller.signal, { grace }));
  for (const { controller } of [late, inTime]) controller.abort(gone);
  clock.advance(99);
  inTime.resolve('done');
  await expect(results[1]).resolves.toBe('done');
  expect(clock.sleeping).toBe(1);
  clock.advance(1);
  await expect(results[0]).rejects.toBe(gone);
  expect(clock.sleeping).toBe(0);
});

test('resolves with undefined only after an abort', async () => {
  const [late, done, broken] = [begun(), begun(), begun()];
  const results = [late, done, broken].map(({ work, controller }) => untilAborted(work, controller.signal));
  late.controller.abort(gone);
  done.resolve('done');
  broken.reject(gone);
  await expect(Promise.allSettled(results)).resolves.toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: 'done' },
    { status: 'rejected', reason: gone },
  ]);
});

test('calls a listener once: immediately after an abort, and never after its disposal', async () => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => calls++);
  expect(calls).toBe(1);
  const later = new AbortController();
  onAbort(later.signal, () => calls++);
  onAbort(later.signal, () => calls++)[Symbol.dispose]();
  later.abort();
  await aborted(later.signal);
  expect(calls).toBe(2);
});

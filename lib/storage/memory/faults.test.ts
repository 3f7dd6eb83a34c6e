import { expect, test } from 'vitest';
import { brief, proposal } from '../proposal.conformance.ts';
import { type AppendFault, faultyStore } from './faults.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryStore } from './store.ts';

function faulty(fault: AppendFault, stale = 0) {
  const store = new MemoryStore({ clock: new ManualClock(), retention: 1_000 });
  const faults = { append: () => fault, staleness: () => stale };
  return { log: faultyStore(store, faults).sequence('main//a'), truth: store.sequence('main//a') };
}

const ALL = { limit: 9, consistent: true };

test.each<[AppendFault, string, string[]]>([
  ['throttle', 'Overloaded', []],
  ['loseRequest', 'Unavailable', []],
  ['loseAnswer', 'Unavailable', ['x@2']],
])('throws for the fault %s the error %s', async (fault, code, stored) => {
  const { log, truth } = faulty(fault);
  await expect(log.append(1, [proposal('x')], { nonce: 'n' })).rejects.toMatchObject({ code });
  expect(brief((await truth.readLog(0, ALL)).changes)).toEqual(stored);
});

test('loses a planned conflict to a real entry, without the winner', async () => {
  const { log, truth } = faulty('conflict');
  expect(await log.append(1, [proposal('x')], { nonce: 'n' })).toEqual({ ok: false });
  expect(await truth.readLog(0, ALL)).toMatchObject({ changes: [], last: 2 });
});

test('does not turn a successful append into a conflict', async () => {
  const { log, truth } = faulty('conflict');
  await truth.append(1, [proposal('x')], { nonce: 'n' });
  expect(await log.append(1, [proposal('x')], { nonce: 'n' })).toEqual({ ok: true, first: 2, last: 2 });
});

test('lags in a stale read, not in a consistent one', async () => {
  const { log, truth } = faulty('none', 2);
  await truth.append(
    1,
    ['a', 'b', 'c'].map((name) => proposal(name)),
    { nonce: 'n' },
  );
  expect(await log.readLog(1, { limit: 9, consistent: false })).toMatchObject({ changes: [{ version: 2 }], last: 2 });
  expect(await log.readLog(3, { limit: 9, consistent: false })).toEqual({ changes: [], last: 3, more: false });
  expect(await log.readLog(1, ALL)).toMatchObject({ last: 4 });
});

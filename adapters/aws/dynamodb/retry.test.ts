import { expect, test } from 'vitest';
import { type FaultPlan, faulty } from '#test/support/dynamodb-local/faulty-table.ts';
import { aProposal, brief, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { pauses } from './retry.ts';
import { dynamoStore } from './store.ts';

/** An existing sequence whose table has these faults from now on. The clock shows how long its calls waited. */
async function aSequence(faultsOf: (clock: TestClock) => FaultPlan) {
  const table = new MemoryTable();
  const first = dynamoStore(table, { clock: new TestClock() }).sequence('main//things');
  const after = await first.head();
  const clock = new TestClock();
  const sequence = dynamoStore(faulty(table, faultsOf(clock)), { clock }).sequence('main//things');
  const all = async () => brief((await first.readLog(after, { limit: 10, consistent: true })).changes);
  return { sequence, after, clock, all };
}

const throttledFor = (milliseconds: number) => (clock: TestClock) => ({
  fault: () => (clock.elapsed < milliseconds ? ('throttle' as const) : undefined),
});

test('retries reads and writes while a partition is throttled for three seconds', async () => {
  const { sequence, after, clock, all } = await aSequence(throttledFor(3_000));
  expect(await sequence.head()).toBe(after);
  expect(clock.elapsed).toBeLessThan(4_000);
  clock.elapsed = 0;
  expect(await sequence.append(after, [aProposal('x')], { nonce: 'n' })).toMatchObject({ ok: true });
  expect(clock.elapsed).toBeGreaterThanOrEqual(3_000);
  expect(await all()).toEqual([`x@${after + 1}`]);
});

test('commits a write once if its answer is lost and retries are throttled for three seconds', async () => {
  let lost = false;
  const { sequence, after, clock, all } = await aSequence((time) => ({
    fault: (call) => {
      if (lost) return time.elapsed < 3_000 ? 'throttle' : undefined;
      lost = call.operation === 'put';
      return lost ? 'lose-answer' : undefined;
    },
  }));
  const written = await sequence.append(after, [aProposal('x')], { nonce: 'n' });
  expect(written).toEqual({ ok: true, first: after + 1, last: after + 1 });
  expect(clock.elapsed).toBeGreaterThanOrEqual(3_000);
  expect(await all()).toEqual([`x@${after + 1}`]);
});

test('fails with Overloaded within five seconds if the table keeps throttling', async () => {
  const { sequence, after, clock, all } = await aSequence(throttledFor(Number.POSITIVE_INFINITY));
  await expect(sequence.append(after, [aProposal('x')], { nonce: 'n' })).rejects.toMatchObject({ code: 'Overloaded' });
  expect(clock.elapsed).toBeGreaterThan(4_000);
  expect(clock.elapsed).toBeLessThanOrEqual(5_000);
  expect(await all()).toEqual([]);
});

test('pauses grow to a second with jitter, unanswered calls get five attempts, and permanent faults get no retry', () => {
  const pauseAfter = pauses(() => 1);
  expect(Array.from({ length: 9 }, () => pauseAfter('throttled'))).toEqual([
    25, 50, 100, 200, 400, 800, 1000, 1000, 1000,
  ]);
  expect(pauseAfter('throttled')).toBeUndefined();
  const unanswered = pauses(() => 0);
  expect(Array.from({ length: 5 }, () => unanswered('ambiguous'))).toEqual([12.5, 25, 50, 100, undefined]);
  for (const fault of ['condition', 'refused', 'forbidden'] as const) expect(pauses()(fault)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { countOperations } from '#test/support/cost/operations.ts';
import { COUNTED, OPERATIONS, type OperationName } from './operations.ts';
import { COUNTS } from './tally.ts';

/** The relative deviation that is allowed for a stored number. Smaller deviations than LITTLE are ignored. */
const SHARE = 0.1;
const LITTLE = 2;
/** Averages over many runs, where zero is a possible value. */
const AVERAGES: ReadonlySet<OperationName> = new Set(['lease renewed', 'look of a node', 'token of a pod']);

test('stored numbers match the counted ones within a tenth: `node test/support/cost/write.ts` updates them', async () => {
  const counted = await countOperations();
  const wrong = OPERATIONS.flatMap((name) =>
    (['warm', 'cold'] as const).flatMap((state) =>
      COUNTS.flatMap((count) => {
        const [stored, now] = [COUNTED[name][state][count] ?? 0, counted[name][state][count] ?? 0];
        const isRight = Math.abs(stored - now) <= Math.max(AVERAGES.has(name) ? 0 : LITTLE, SHARE * now);
        return isRight ? [] : [`${name}, ${state}, ${count}: ${stored} is ${now}`];
      }),
    ),
  );
  expect(wrong).toEqual([]);
});

test('a lease renewal is one write with its reads, and triggers no function', () => {
  const { warm } = COUNTED['lease renewed'];
  expect(warm['apiserver: write units']).toBe(1);
  expect(warm.events).toBeUndefined();
  expect(warm['reconcilers: invocations']).toBeUndefined();
});

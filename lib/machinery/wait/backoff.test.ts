import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { delayAfter } from './backoff.ts';

const delays = (count: number, of: (failures: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => of(i + 1));

test('multiplies the delay after each failure up to the cap', () => {
  const backoff = { duration: 10_000, factor: 2, cap: 300_000 };
  expect(delays(7, (failures) => delayAfter(failures, backoff))).toEqual([
    10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
  ]);
});

test('grows without a limit if it has no cap', () => {
  expect(delays(4, (failures) => delayAfter(failures, { duration: 10, factor: 5 }))).toEqual([10, 50, 250, 1250]);
});

test('adds up to the jitter to each delay, including capped ones', () => {
  const backoff = { duration: 800, factor: 2, jitter: 1, cap: 3000 };
  const of = (random: number) => delays(4, (failures) => delayAfter(failures, backoff, () => random));
  expect(of(0)).toEqual([800, 1600, 3000, 3000]);
  expect(of(0.5)).toEqual([1200, 2400, 4500, 4500]);
});

test('keeps every delay between the first one and the cap, plus jitter, however many failures there are', () => {
  const backoffs = fc.record({
    duration: fc.double({ min: 0.1, max: 60_000, noNaN: true }),
    factor: fc.double({ min: 1, max: 10, noNaN: true }),
    cap: fc.double({ min: 60_000, max: 1e9, noNaN: true }),
    jitter: fc.double({ min: 0, max: 2, noNaN: true }),
  });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(backoffs, fc.array(random, { minLength: 1, maxLength: 50 }), (backoff, draws) => {
      const { duration, cap, jitter } = backoff;
      const longest = cap * (1 + jitter) * (1 + 1e-9); // rounded sums
      let total = 0;
      for (const [i, draw] of draws.entries()) {
        const delay = delayAfter(i + 1, backoff, () => draw);
        expect(delay).toBeGreaterThanOrEqual(duration);
        expect(delay).toBeLessThanOrEqual(longest);
        total += delay;
      }
      expect(total).toBeLessThanOrEqual(draws.length * longest);
      expect(delayAfter(100_000, { duration, factor: 2, cap })).toBe(cap); // 2 ** 99,999 overflows
    }),
  );
});

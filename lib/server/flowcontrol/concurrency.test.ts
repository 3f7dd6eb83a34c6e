import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate, type Claim } from './concurrency.ts';

const claim = (lower: number, target: number, upper: number): Claim => ({ lower, upper, target });

describe('the division of seats', () => {
  test.each<[string, number, Claim[], number[] | undefined]>([
    ['among no claims', 0, [], []],
    ['in proportion to targets', 30, [claim(0, 10, 99), claim(0, 20, 99)], [10, 20]],
    ['in multiples of targets', 60, [claim(0, 10, 99), claim(0, 20, 99)], [20, 40]],
    ['up to an upper bound', 60, [claim(0, 10, 12), claim(0, 20, 99)], [12, 48]],
    ['down to a lower bound', 15, [claim(9, 10, 99), claim(0, 20, 99)], [9, 6]],
    ['equally if all targets are 0', 10, [claim(0, 0, 99), claim(0, 0, 99)], [5, 5]],
    ['at all lower bounds', 10, [claim(4, 5, 9), claim(6, 9, 9)], [4, 6]],
    ['at all upper bounds', 18, [claim(4, 5, 9), claim(6, 9, 9)], [9, 9]],
    ['only if they reach all lower bounds', 9, [claim(4, 5, 9), claim(6, 9, 9)], undefined],
    ['only if the upper bounds allow it', 19, [claim(4, 5, 9), claim(6, 9, 9)], undefined],
  ])('divides seats %s', (_, total, claims, expected) => {
    const seats = allocate(total, claims);
    expect(seats?.map((one) => Math.round(one * 1e6) / 1e6)).toEqual(expected);
  });

  test('gives each claim the same multiple of its target, or its bound', () => {
    const claims = fc
      .array(fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 8 })
      .map((all) => all.map(([lower, more, wider]) => claim(lower, lower + more, lower + wider)));
    fc.assert(
      fc.property(claims, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const sum = (of: (one: Claim) => number): number => given.reduce((total, one) => total + of(one), 0);
        const total = sum(({ lower }) => lower) + part * (sum(({ upper }) => upper) - sum(({ lower }) => lower));
        const seats = allocate(total, given) ?? [];
        expect(seats.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 6);
        const free = given.flatMap((one, i) => {
          const seat = seats[i] as number;
          expect(seat).toBeGreaterThanOrEqual(one.lower - 1e-9);
          expect(seat).toBeLessThanOrEqual(one.upper + 1e-9);
          const bound = seat - one.lower < 1e-6 || one.upper - seat < 1e-6;
          return bound ? [] : [seat / Math.max(0.001, one.target)];
        });
        for (const multiple of free) expect(multiple).toBeCloseTo(free[0] as number, 4);
      }),
    );
  });
});

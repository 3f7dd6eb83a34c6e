import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate, type Claim } from './concurrency.ts';

const claim = (lower: number, target: number, upper: number): Claim => ({ lower, upper, target });

describe('seats are divided', () => {
  test.each<[string, number, Claim[], number[] | undefined]>([
    ['among nobody', 0, [], []],
    ['by targets', 30, [claim(0, 10, 99), claim(0, 20, 99)], [10, 20]],
    ['by multiples of targets', 60, [claim(0, 10, 99), claim(0, 20, 99)], [20, 40]],
    ['up to a bound', 60, [claim(0, 10, 12), claim(0, 20, 99)], [12, 48]],
    ['down to a bound', 15, [claim(9, 10, 99), claim(0, 20, 99)], [9, 6]],
    ['where nobody wants any', 10, [claim(0, 0, 99), claim(0, 0, 99)], [5, 5]],
    ['where all is the least', 10, [claim(4, 5, 9), claim(6, 9, 9)], [4, 6]],
    ['where all is the most', 18, [claim(4, 5, 9), claim(6, 9, 9)], [9, 9]],
    ['not below the least', 9, [claim(4, 5, 9), claim(6, 9, 9)], undefined],
    ['not above the most', 19, [claim(4, 5, 9), claim(6, 9, 9)], undefined],
  ])('%s', (_, total, claims, expected) => {
    const seats = allocate(total, claims);
    expect(seats?.map((one) => Math.round(one * 1e6) / 1e6)).toEqual(expected);
  });

  test('all of them, within bounds, each the same multiple of its target or its bound', () => {
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

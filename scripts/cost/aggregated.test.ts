import { describe, expect, test } from 'vitest';
import { type Aggregated, aggregatedLines, NO_AGGREGATED } from './aggregated.ts';
import { total } from './prices.ts';

const cost = (of: Partial<Aggregated>, frontDoor: 'function-url' | 'container' = 'function-url'): number =>
  total(aggregatedLines({ ...NO_AGGREGATED, ...of }, frontDoor));

describe('the cost of aggregated APIs', () => {
  test('is zero without one', () => {
    expect(aggregatedLines(NO_AGGREGATED, 'function-url')).toEqual([]);
  });

  test('is under a dollar a month for a server checked twice a minute, and zero without checks', () => {
    expect(cost({ servers: 1 })).toBeGreaterThan(0.4);
    expect(cost({ servers: 1 })).toBeLessThan(0.8);
    expect(cost({ servers: 1 }, 'container')).toBe(0);
  });

  test('is as documented for a million requests to a function and a watch of it', () => {
    expect(cost({ requests: 1e6 })).toBeCloseTo(0.27, 2);
    expect(cost({ watches: 1 }) / 720).toBeCloseTo(0.012, 3);
  });
});

import { describe, expect, test } from 'vitest';
import { type Aggregated, aggregatedLines, NO_AGGREGATED } from './aggregated.ts';
import { total } from './prices.ts';

const cost = (of: Partial<Aggregated>, frontDoor: 'function-url' | 'container' = 'function-url'): number =>
  total(aggregatedLines({ ...NO_AGGREGATED, ...of }, frontDoor));

describe('aggregated APIs', () => {
  test('cost nothing until one is there', () => {
    expect(aggregatedLines(NO_AGGREGATED, 'function-url')).toEqual([]);
  });

  test('a server that is asked twice a minute costs less than a dollar a month, and nothing where nobody asks', () => {
    expect(cost({ servers: 1 })).toBeGreaterThan(0.4);
    expect(cost({ servers: 1 })).toBeLessThan(0.8);
    expect(cost({ servers: 1 }, 'container')).toBe(0);
  });

  test('a million requests to a function and a watch of it cost what the documentation says', () => {
    expect(cost({ requests: 1e6 })).toBeCloseTo(0.27, 2);
    expect(cost({ watches: 1 }) / 720).toBeCloseTo(0.012, 3);
  });
});

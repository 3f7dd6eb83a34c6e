import { expect, test } from 'vitest';
import { secondsFor } from './decide.ts';

test.each<[number, number | undefined, number]>([
  [1, undefined, 0],
  [100, undefined, 0],
  [101, 0, 15],
  [95, 15, 15],
  [89, 15, 0],
  [500, 15, 15],
  [501, 15, 30],
  [449, 30, 15],
  [1500, undefined, 60],
  [5000, 60, 300],
  [1799, 300, 60],
])('computes the TTL for %i nodes that have %s', (nodes, current, expected) =>
  expect(secondsFor(nodes, current)).toBe(expected),
);

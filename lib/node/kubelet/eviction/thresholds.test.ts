import { expect, test } from 'vitest';
import { GI, MI } from '../testing/facts.ts';
import { DEFAULT_EVICTION_HARD, type Observations, pressuresOf } from './thresholds.ts';

const rootFs = { capacity: 100 * GI, available: 50 * GI, inodes: 1000, inodesFree: 500 };
const FREE: Observations = { memoryAvailable: GI, memoryCapacity: 16 * GI, rootFs };

test.each<readonly [string, Partial<Observations>, string]>([
  ['with enough of everything', {}, ''],
  ['with 100 MiB of memory', { memoryAvailable: 100 * MI }, ''],
  ['with less than 100 MiB of memory', { memoryAvailable: 100 * MI - 1 }, 'memory'],
  ['with less than 10 % of its disk', { rootFs: { ...rootFs, available: 9 * GI } }, 'disk'],
  ['with less than 5 % of its inodes', { rootFs: { ...rootFs, inodesFree: 49 } }, 'disk'],
  ['with a file system that does not count inodes', { rootFs: { ...rootFs, inodes: 0, inodesFree: 0 } }, ''],
])('computes the pressures of a node %s', (_, observed, expected) => {
  const met = pressuresOf(DEFAULT_EVICTION_HARD, { ...FREE, ...observed });
  expect(
    Object.entries(met)
      .flatMap(([name, value]) => (value ? [name] : []))
      .join(),
  ).toBe(expected);
});

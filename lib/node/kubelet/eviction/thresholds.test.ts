import { expect, test } from 'vitest';
import { GI, MI } from '../testing/facts.ts';
import { DEFAULT_EVICTION_HARD, type Observations, pressuresOf } from './thresholds.ts';

const rootFs = { capacity: 100 * GI, available: 50 * GI, inodes: 1000, inodesFree: 500 };
const FREE: Observations = { memoryAvailable: GI, memoryCapacity: 16 * GI, rootFs };

test.each<readonly [string, Partial<Observations>, string]>([
  ['with room', {}, ''],
  ['with 100 MiB of memory', { memoryAvailable: 100 * MI }, ''],
  ['with less', { memoryAvailable: 100 * MI - 1 }, 'memory'],
  ['with less than a tenth of its disk', { rootFs: { ...rootFs, available: 9 * GI } }, 'disk'],
  ['with less than a twentieth of its inodes', { rootFs: { ...rootFs, inodesFree: 49 } }, 'disk'],
  ['whose file system counts no inodes', { rootFs: { ...rootFs, inodes: 0, inodesFree: 0 } }, ''],
])('a node %s', (_, observed, expected) => {
  const met = pressuresOf(DEFAULT_EVICTION_HARD, { ...FREE, ...observed });
  expect(
    Object.entries(met)
      .flatMap(([name, value]) => (value ? [name] : []))
      .join(),
  ).toBe(expected);
});

import { describe } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryOutlet } from './memory-outlet.ts';
import { outletConformance } from './outlet.conformance.ts';

interface Entry {
  readonly group: string;
  readonly n: number;
  readonly fill: string;
}

describe('MemoryOutlet as an outlet', () => {
  outletConformance<Entry>(async () => {
    const outlet = new MemoryOutlet<Entry>({ clock: new ManualClock(), maxBytes: 1000, group: ({ group }) => group });
    return {
      outlet,
      entry: (group, n, fill = 0) => ({ group, n, fill: 'x'.repeat(fill) }),
      arrived: async () => outlet.taken.splice(0).map(({ group, n }) => `${group}/${n}`),
      tooMuch: 1000,
    };
  });
});

import { describe } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemorySink } from './memory-sink.ts';
import { sinkConformance } from './sink.conformance.ts';

interface Entry {
  readonly group: string;
  readonly n: number;
  readonly fill: string;
}

describe('MemorySink as a sink', () => {
  sinkConformance<Entry>(async () => {
    const sink = new MemorySink<Entry>({ clock: new ManualClock(), maxBytes: 1000, group: ({ group }) => group });
    return {
      sink,
      entry: (group, n, fill = 0) => ({ group, n, fill: 'x'.repeat(fill) }),
      arrived: async () => sink.taken.splice(0).map(({ group, n }) => `${group}/${n}`),
      tooMuch: 1000,
    };
  });
});

import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { backsUp } from './backup.conformance.ts';

backsUp('memory', () => {
  const clock = new ManualClock();
  return { clock, open: () => new MemoryStore({ clock, retention: 3_600_000 }) };
});

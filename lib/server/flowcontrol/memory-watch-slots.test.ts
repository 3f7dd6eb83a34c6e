import { memoryWatchSlots } from './memory-watch-slots.ts';
import { watchSlotsConformance } from './watch-slots.conformance.ts';
import type { WatchSlots } from './watch-slots.ts';

const known = new Map<string, WatchSlots>();

watchSlotsConformance(async (name, count, clock) => {
  const slots = known.get(name) ?? memoryWatchSlots(count, clock);
  known.set(name, slots);
  return slots;
});

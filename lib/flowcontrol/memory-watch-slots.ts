import type { Clock } from '#lib/machinery/clock.ts';
import type { WatchSlots } from './watch-slots.ts';

/** Slots of one process, for tests. */
export function memoryWatchSlots(count: number, clock: Clock): WatchSlots {
  const taken = new Map<number, { readonly until: number }>();
  return {
    async take(milliseconds) {
      const now = clock.now();
      const slot = Array.from({ length: count }, (_, i) => i).find((i) => (taken.get(i)?.until ?? 0) < now);
      if (slot === undefined) return undefined;
      const mine = { until: now + milliseconds };
      taken.set(slot, mine);
      return {
        async release() {
          if (taken.get(slot) === mine) taken.delete(slot);
        },
      };
    },
  };
}

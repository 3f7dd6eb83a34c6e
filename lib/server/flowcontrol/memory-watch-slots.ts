import type { Clock } from '#lib/machinery/clock.ts';
import { claimSlot, type HeldSlot } from './watch-share.ts';
import type { WatchSlots } from './watch-slots.ts';

/** Slots in the memory of one process, for tests. */
export function memoryWatchSlots(count: number, clock: Clock): WatchSlots {
  const taken = new Map<number, HeldSlot & { readonly until: number }>();
  return {
    async take({ holder, watch, milliseconds }) {
      const now = clock.now();
      const held = [...taken.values()].filter(({ until }) => until >= now);
      const claim = claimSlot({ held, count, now }, { holder, watch }, 0);
      if (claim === undefined) return undefined;
      const { slot, from } = claim;
      const mine = { slot, holder, watch, since: now, until: now + milliseconds, succeeds: from !== undefined };
      taken.set(slot, mine);
      return {
        isHeld: async () => taken.get(slot) === mine,
        async release() {
          if (taken.get(slot) === mine) taken.delete(slot);
        },
      };
    },
  };
}

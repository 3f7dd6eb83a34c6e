import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { WatchSlot, WatchSlots } from './watch-slots.ts';

const MINUTE = 60_000;

/**
 * The contract of every implementation. `open` gives so many fresh slots; called again with one name, the same slots as another process
 * sees them.
 */
export function watchSlotsConformance(open: (name: string, count: number, clock: Clock) => Promise<WatchSlots>): void {
  let names = 0;
  const world = async (count: number) => {
    const clock = new ManualClock();
    const name = `slots-${++names}`;
    return { clock, slots: await open(name, count, clock), another: () => open(name, count, clock) };
  };
  const taken = async (slots: WatchSlots): Promise<WatchSlot> => {
    const slot = await slots.take(MINUTE);
    if (slot === undefined) throw new Error('no slot is free');
    return slot;
  };

  describe('slots of watches', () => {
    test('as many are taken as there are, and no more', async () => {
      const { slots } = await world(3);
      for (let i = 0; i < 3; i++) await taken(slots);
      expect(await slots.take(MINUTE)).toBeUndefined();
    });

    test('of a hundred that come at once, sixty have one', async () => {
      const { slots } = await world(60);
      const all = await Promise.all(Array.from({ length: 100 }, () => slots.take(MINUTE)));
      expect(all.filter((slot) => slot !== undefined)).toHaveLength(60);
    });

    test('one that is given back is free', async () => {
      const { slots } = await world(1);
      await (await taken(slots)).release();
      expect(await slots.take(MINUTE)).toBeDefined();
    });

    test('one that nobody gives back is free behind its time', async () => {
      const { slots, clock } = await world(1);
      await taken(slots);
      clock.advance(MINUTE);
      expect(await slots.take(MINUTE)).toBeUndefined();
      clock.advance(1);
      expect(await slots.take(MINUTE)).toBeDefined();
    });

    test('who gives one back too late takes it from nobody', async () => {
      const { slots, clock } = await world(1);
      const late = await taken(slots);
      clock.advance(MINUTE + 1);
      await taken(slots);
      await late.release();
      expect(await slots.take(MINUTE)).toBeUndefined();
    });

    test('giving one back twice gives one back', async () => {
      const { slots } = await world(2);
      const slot = await taken(slots);
      await slot.release();
      const next = await taken(slots);
      await slot.release();
      await taken(slots);
      expect(await slots.take(MINUTE)).toBeUndefined();
      await next.release();
      expect(await slots.take(MINUTE)).toBeDefined();
    });

    test('processes share them', async () => {
      const { slots, another } = await world(2);
      const others = await another();
      await taken(slots);
      await taken(others);
      expect([await slots.take(MINUTE), await others.take(MINUTE)]).toEqual([undefined, undefined]);
    });
  });
}

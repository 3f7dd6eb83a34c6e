import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { EXEMPT, type SlotAsker, type WatchSlot, type WatchSlots } from './watch-slots.ts';

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
  let watches = 0;
  /** Each of another watch of one user, unless it says more. */
  const asker = (given: Partial<SlotAsker> = {}): SlotAsker => ({
    holder: 'ann',
    watch: `watch-${++watches}`,
    milliseconds: MINUTE,
    ...given,
  });
  const taken = async (slots: WatchSlots, given?: Partial<SlotAsker>): Promise<WatchSlot> => {
    const slot = await slots.take(asker(given));
    if (slot === undefined) throw new Error('no slot is free');
    return slot;
  };

  describe('slots of watches', () => {
    test('as many are taken as there are, and no more', async () => {
      const { slots } = await world(3);
      for (let i = 0; i < 3; i++) await taken(slots);
      expect(await slots.take(asker())).toBeUndefined();
    });

    test('of a hundred that come at once, sixty have one', async () => {
      const { slots } = await world(60);
      const all = await Promise.all(Array.from({ length: 100 }, () => slots.take(asker())));
      expect(all.filter((slot) => slot !== undefined)).toHaveLength(60);
    });

    test('one that is given back is free', async () => {
      const { slots } = await world(1);
      await (await taken(slots)).release();
      expect(await slots.take(asker())).toBeDefined();
    });

    test('one that nobody gives back is free behind its time', async () => {
      const { slots, clock } = await world(1);
      await taken(slots);
      clock.advance(MINUTE);
      expect(await slots.take(asker())).toBeUndefined();
      clock.advance(1);
      expect(await slots.take(asker())).toBeDefined();
    });

    test('who gives one back too late takes it from nobody', async () => {
      const { slots, clock } = await world(1);
      const late = await taken(slots);
      clock.advance(MINUTE + 1);
      await taken(slots);
      await late.release();
      expect(await slots.take(asker())).toBeUndefined();
    });

    test('giving one back twice gives one back', async () => {
      const { slots } = await world(2);
      const slot = await taken(slots);
      await slot.release();
      const next = await taken(slots);
      await slot.release();
      await taken(slots);
      expect(await slots.take(asker())).toBeUndefined();
      await next.release();
      expect(await slots.take(asker())).toBeDefined();
    });

    test('processes share them', async () => {
      const { slots, another } = await world(2);
      const others = await another();
      await taken(slots);
      await taken(others);
      expect([await slots.take(asker()), await others.take(asker())]).toEqual([undefined, undefined]);
    });

    test('the user with the most gives one to a user who has fewer, once it was held for 40 s', async () => {
      const { slots, another, clock } = await world(3);
      const others = await another();
      const first = await taken(slots);
      clock.advance(1);
      const second = await taken(slots);
      await taken(slots);
      expect(await others.take(asker({ holder: 'bob' }))).toBeUndefined();
      clock.advance(40_000);
      await taken(others, { holder: 'bob' });
      expect([await first.isHeld(), await second.isHeld()]).toEqual([false, true]);
      expect(await others.take(asker({ holder: 'bob' })), 'a former watch may be open yet').toBeUndefined();
      clock.advance(15_000);
      await first.release();
      expect(await slots.take(asker()), 'a slot that was lost is not given back').toBeUndefined();
    });

    test('a client that opens its watch again has the slot of before, where none is free', async () => {
      const { slots, clock } = await world(2);
      const before = await taken(slots, { watch: 'pods' });
      const other = await taken(slots, { watch: 'nodes' });
      clock.advance(40_000);
      expect(await slots.take(asker({ watch: 'secrets' }))).toBeUndefined();
      const after = await taken(slots, { watch: 'pods' });
      expect([await before.isHeld(), await other.isHeld(), await after.isHeld()]).toEqual([false, true, true]);
    });

    test('nobody takes the slots of administrators', async () => {
      const { slots, clock } = await world(3);
      for (let i = 0; i < 3; i++) await taken(slots, { holder: EXEMPT });
      clock.advance(40_000);
      expect(await slots.take(asker())).toBeUndefined();
    });
  });
}

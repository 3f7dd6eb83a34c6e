import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { EXEMPT, type SlotAsker, type WatchSlot, type WatchSlots } from './watch-slots.ts';

const MINUTE = 60_000;

/**
 * The contract of every implementation. `open` returns `count` new slots. If called again with the same name, it returns the same slots for
 * another process.
 */
export function watchSlotsConformance(open: (name: string, count: number, clock: Clock) => Promise<WatchSlots>): void {
  let names = 0;
  const world = async (count: number) => {
    const clock = new ManualClock();
    const name = `slots-${++names}`;
    return { clock, slots: await open(name, count, clock), another: () => open(name, count, clock) };
  };
  let watches = 0;
  /** By default, each asker is a different watch of the same user. */
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
    test('cannot be taken beyond their number', async () => {
      const { slots } = await world(3);
      for (let i = 0; i < 3; i++) await taken(slots);
      expect(await slots.take(asker())).toBeUndefined();
    });

    test('are granted to sixty of a hundred concurrent watches', async () => {
      const { slots } = await world(60);
      const all = await Promise.all(Array.from({ length: 100 }, () => slots.take(asker())));
      expect(all.filter((slot) => slot !== undefined)).toHaveLength(60);
    });

    test('are free after their release', async () => {
      const { slots } = await world(1);
      await (await taken(slots)).release();
      expect(await slots.take(asker())).toBeDefined();
    });

    test('are free after their time limit if not released', async () => {
      const { slots, clock } = await world(1);
      await taken(slots);
      clock.advance(MINUTE);
      expect(await slots.take(asker())).toBeUndefined();
      clock.advance(1);
      expect(await slots.take(asker())).toBeDefined();
    });

    test('are not affected by a late release', async () => {
      const { slots, clock } = await world(1);
      const late = await taken(slots);
      clock.advance(MINUTE + 1);
      await taken(slots);
      await late.release();
      expect(await slots.take(asker())).toBeUndefined();
    });

    test('are released only once by a repeated release', async () => {
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

    test('are shared by all processes', async () => {
      const { slots, another } = await world(2);
      const others = await another();
      await taken(slots);
      await taken(others);
      expect([await slots.take(asker()), await others.take(asker())]).toEqual([undefined, undefined]);
    });

    test('move from the user with the most to a user with fewer after 40 s', async () => {
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

    test('return to a client that reopens its watch, if none is free', async () => {
      const { slots, clock } = await world(2);
      const before = await taken(slots, { watch: 'pods' });
      const other = await taken(slots, { watch: 'nodes' });
      clock.advance(40_000);
      expect(await slots.take(asker({ watch: 'secrets' }))).toBeUndefined();
      const after = await taken(slots, { watch: 'pods' });
      expect([await before.isHeld(), await other.isHeld(), await after.isHeld()]).toEqual([false, true, true]);
    });

    test('are never taken from administrators', async () => {
      const { slots, clock } = await world(3);
      for (let i = 0; i < 3; i++) await taken(slots, { holder: EXEMPT });
      clock.advance(40_000);
      expect(await slots.take(asker())).toBeUndefined();
    });
  });
}

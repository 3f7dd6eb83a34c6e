import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { RateLedger } from './rate-ledger.ts';

/** A time in the future, because a store may remove accounts that were not charged for days. */
const START = 2_000_000_000_000;
const CHARGE = { cost: 400, allowance: 1000 };

/** The contract of every implementation. `open` returns the same accounts if called with the same clock. */
export function rateLedgerConformance(open: (clock: Clock) => Promise<RateLedger>): void {
  describe('accounts of identities', () => {
    test('are charged by all processes until the debt exceeds the allowance', async () => {
      const clock = new ManualClock(START);
      const [one, other] = [await open(clock), await open(clock)];
      const now = clock.now();
      expect(await one.charge('ann', CHARGE)).toEqual({ charged: true, busyUntil: now + 400 });
      expect(await other.charge('ann', CHARGE)).toEqual({ charged: true, busyUntil: now + 800 });
      expect(await one.charge('ann', CHARGE)).toEqual({ charged: true, busyUntil: now + 1200 });
      expect(await other.charge('ann', CHARGE)).toEqual({ charged: false, busyUntil: now + 1200 });
      expect(await one.charge('bob', CHARGE)).toEqual({ charged: true, busyUntil: now + 400 });
    });

    test('reduce their debt over time and save nothing while idle', async () => {
      const clock = new ManualClock(START);
      const ledger = await open(clock);
      for (let i = 0; i < 3; i++) await ledger.charge('ann', CHARGE);
      clock.advance(200);
      expect(await ledger.charge('ann', CHARGE)).toEqual({ charged: true, busyUntil: clock.now() + 1400 });
      clock.advance(60_000);
      expect(await ledger.charge('ann', CHARGE)).toEqual({ charged: true, busyUntil: clock.now() + 400 });
    });

    test('count all of twenty concurrent charges', async () => {
      const clock = new ManualClock(START);
      const ledgers = await Promise.all(Array.from({ length: 20 }, () => open(clock)));
      const charges = await Promise.all(ledgers.map((ledger) => ledger.charge('ann', { cost: 20, allowance: 1000 })));
      expect(charges.map(({ busyUntil }) => busyUntil - clock.now()).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, i) => 20 * (i + 1)),
      );
    });
  });
}

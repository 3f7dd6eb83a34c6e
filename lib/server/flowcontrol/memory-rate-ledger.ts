import type { Clock } from '#lib/machinery/clock.ts';
import type { RateLedger } from './rate-ledger.ts';

/** Accounts in the memory of one process, for tests. */
export function memoryRateLedger(clock: Clock): RateLedger {
  const accounts = new Map<string, number>();
  return {
    async charge(identity, { cost, allowance }) {
      const now = clock.now();
      const before = accounts.get(identity) ?? 0;
      if (before > now + allowance) return { charged: false, busyUntil: before };
      const busyUntil = Math.max(before, now) + cost;
      accounts.set(identity, busyUntil);
      return { charged: true, busyUntil };
    },
  };
}

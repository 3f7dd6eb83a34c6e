import type { Clock } from '#lib/machinery/clock.ts';
import { memoryRateLedger } from './memory-rate-ledger.ts';
import { rateLedgerConformance } from './rate-ledger.conformance.ts';
import type { RateLedger } from './rate-ledger.ts';

const known = new WeakMap<Clock, RateLedger>();

rateLedgerConformance(async (clock) => {
  const ledger = known.get(clock) ?? memoryRateLedger(clock);
  known.set(clock, ledger);
  return ledger;
});

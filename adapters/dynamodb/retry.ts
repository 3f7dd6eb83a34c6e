import type { Clock } from '#lib/machinery/clock.ts';
import { faultOf, storeError } from './faults.ts';
import { intercept, type Table } from './port.ts';

const ATTEMPTS = 5;
const FIRST_DELAY = 25;

/** Milliseconds before attempt `n` (from 1): exponential, at most a second, spread by `random` in [0, 1). */
export function backoff(n: number, random: number): number {
  return Math.min(1_000, FIRST_DELAY * 2 ** (n - 1)) * (0.5 + random / 2);
}

/**
 * `table` whose calls are repeated when they are throttled or unanswered, and whose errors are StoreErrors, except a failed
 * condition. Only for calls that mean the same when carried out twice; the append has its own loop, which checks the nonce.
 */
export function retryingClient(table: Table, clock: Clock): Table {
  return intercept(table, async (_call, next) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next();
      } catch (error) {
        const fault = faultOf(error);
        if (fault === 'condition') throw error;
        if (fault === 'refused' || fault === 'forbidden' || attempt === ATTEMPTS) throw storeError(error);
        await clock.sleep(backoff(attempt, Math.random()));
      }
    }
  });
}

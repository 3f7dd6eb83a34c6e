import type { Clock } from '#lib/machinery/clock.ts';
import { type Fault, faultOf, storeError } from './faults.ts';
import { intercept, type Table } from './port.ts';

/** How often a call without an answer is attempted. Each attempt may take as long as the client's time-out. */
const ATTEMPTS = 5;
/** Total pause in ms after which a throttled call fails. A partition that splits or grows throttles for seconds. */
const PATIENCE = 5_000;
const FIRST_DELAY = 25;

/** Pause in ms before attempt `n` (from 1): exponential, at most a second, spread by `random` in [0, 1). */
export function backoff(n: number, random: number): number {
  return Math.min(1_000, FIRST_DELAY * 2 ** (n - 1)) * (0.5 + random / 2);
}

/**
 * Returns a function that returns the pause in ms before a call is retried after this fault. Undefined means no retry. For one call only.
 */
export function pauses(random = Math.random): (fault: Fault) => number | undefined {
  let waited = 0;
  let unanswered = 0;
  let repeated = 0;
  return (fault) => {
    if (fault !== 'throttled' && fault !== 'ambiguous') return undefined;
    if (fault === 'ambiguous' && ++unanswered === ATTEMPTS) return undefined;
    const pause = backoff(++repeated, random());
    // Counts the pauses, because a clock may stand still while an environment is frozen.
    if (waited + pause > PATIENCE) return undefined;
    waited += pause;
    return pause;
  };
}

/**
 * Wraps `table` so that throttled and unanswered calls are retried. Its errors are StoreErrors, except for a failed condition. Use it only
 * for idempotent calls. The append has its own loop, which checks the nonce.
 */
export function retryingClient(table: Table, clock: Clock): Table {
  return intercept(table, async (_call, next) => {
    const pauseAfter = pauses();
    for (;;) {
      try {
        return await next();
      } catch (error) {
        const fault = faultOf(error);
        if (fault === 'condition') throw error;
        const pause = pauseAfter(fault);
        if (pause === undefined) throw storeError(error);
        await clock.sleep(pause);
      }
    }
  });
}

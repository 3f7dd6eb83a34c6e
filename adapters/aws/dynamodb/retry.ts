import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { type Fault, faultOf, storeError } from './faults.ts';
import { intercept, type Table } from './port.ts';

/** Maximum attempts of a call without a response. Each attempt may take as long as the client's time-out. */
const ATTEMPTS = 5;
/** Total pause in ms after which a throttled call fails. A partition that splits or grows throttles for seconds. */
const PATIENCE = 5_000;
/** The pause before the next attempt: 12.5 to 25 ms at first, growing to between 0.5 and 1 second. */
const BACKOFF = { duration: 12.5, factor: 2, jitter: 1, cap: 500 };

/**
 * Returns a function that maps a fault to the pause in ms before the retry. The function returns undefined if the call should not be
 * retried. Create one for each call.
 */
export function pauses(random = Math.random): (fault: Fault) => number | undefined {
  let waited = 0;
  let unanswered = 0;
  let repeated = 0;
  return (fault) => {
    if (fault !== 'throttled' && fault !== 'ambiguous') return undefined;
    if (fault === 'ambiguous' && ++unanswered === ATTEMPTS) return undefined;
    const pause = delayAfter(++repeated, BACKOFF, random);
    // Adds up the pauses instead of reading a clock, which may stand still while an environment is frozen.
    if (waited + pause > PATIENCE) return undefined;
    waited += pause;
    return pause;
  };
}

/**
 * Wraps `table` to retry calls that are throttled or get no response. Its errors are StoreErrors, except for a failed condition. Use it
 * only for idempotent calls. The append has its own loop, which checks the nonce.
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

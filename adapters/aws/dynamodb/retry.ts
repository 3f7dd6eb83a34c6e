import type { Clock } from '#lib/machinery/clock.ts';
import { type Fault, faultOf, storeError } from './faults.ts';
import { intercept, type Table } from './port.ts';

/** Attempts of a call that is not answered: each may take as long as the client waits. */
const ATTEMPTS = 5;
/** Milliseconds of pauses after which a call that is throttled is given up: a partition that is split or grows is throttled for seconds. */
const PATIENCE = 5_000;
const FIRST_DELAY = 25;

/** Milliseconds before attempt `n` (from 1): exponential, at most a second, spread by `random` in [0, 1). */
export function backoff(n: number, random: number): number {
  return Math.min(1_000, FIRST_DELAY * 2 ** (n - 1)) * (0.5 + random / 2);
}

/** Tells the milliseconds before a call is repeated after this fault; undefined: it is not to be repeated. For one call. */
export function pauses(random = Math.random): (fault: Fault) => number | undefined {
  let waited = 0;
  let unanswered = 0;
  let repeated = 0;
  return (fault) => {
    if (fault !== 'throttled' && fault !== 'ambiguous') return undefined;
    if (fault === 'ambiguous' && ++unanswered === ATTEMPTS) return undefined;
    const pause = backoff(++repeated, random());
    // Counted by pauses: a clock may stand still while an environment does.
    if (waited + pause > PATIENCE) return undefined;
    waited += pause;
    return pause;
  };
}

/**
 * `table` whose calls are repeated when they are throttled or unanswered, and whose errors are StoreErrors, except a failed
 * condition. Only for calls that mean the same when carried out twice; the append has its own loop, which checks the nonce.
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

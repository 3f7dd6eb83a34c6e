import type { Result } from './reconciler.ts';

const DAY = 86_400_000;

/**
 * Another turn when the first of these times is up, in milliseconds from now; none where there are none. Within a day in any case:
 * neither a clock that is set nor a machine that sleeps makes a turn late by more.
 */
export function requeueAfter(...waits: readonly number[]): Result {
  return waits.length === 0 ? undefined : { requeueAfter: Math.min(DAY, ...waits) };
}

import type { Result } from './reconciler.ts';

const DAY = 86_400_000;

/**
 * Requeues at the earliest of these times, in ms from now. Undefined if there are none. It requeues within a day in any case, so
 * that neither a changed clock nor a sleeping machine delays a reconciliation by more.
 */
export function requeueAfter(...waits: readonly number[]): Result {
  return waits.length === 0 ? undefined : { requeueAfter: Math.min(DAY, ...waits) };
}

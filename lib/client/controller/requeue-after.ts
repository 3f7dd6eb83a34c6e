import type { Result } from './reconciler.ts';

const DAY = 86_400_000;

/**
 * Requeues after the shortest of these times in ms. Undefined if there are none. The maximum is a day, so a changed clock or a sleeping
 * machine never delays a reconciliation by more.
 */
export function requeueAfter(...waits: readonly number[]): Result {
  return waits.length === 0 ? undefined : { requeueAfter: Math.min(DAY, ...waits) };
}

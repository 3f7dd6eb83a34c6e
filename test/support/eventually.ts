import { eventually as within } from '#local/eventually.ts';

/**
 * Time-out in ms of every wait in a test. The machine may be busy, and only a failure takes that long. The time-out of a test is a minute
 * longer.
 */
const DEADLINE = 240_000;

/**
 * The only way to wait in a test with a real clock. It polls a condition until it is true, or assertions until they hold. After four
 * minutes it throws the last error. For a condition that stays false, `seen` describes the last state.
 */
export function eventually(holds: () => boolean | Promise<boolean>, seen?: () => string): Promise<void>;
export function eventually<T>(holds: () => T | Promise<T>): Promise<T>;
export function eventually<T>(holds: () => T | Promise<T>, seen?: () => string): Promise<T> {
  return within(holds, { timeout: DEADLINE, ...(seen && { seen }) });
}

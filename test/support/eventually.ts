import { eventually as within } from '#local/eventually.ts';

/** Like the `eventually` of users' tests, but with a time-out of minutes: only a failure waits so long, and the machine may be busy. */
export const eventually = <T>(holds: () => Promise<T> | T): Promise<T> => within(holds, { timeout: 240_000 });

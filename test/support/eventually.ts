import { eventually as within } from '#local/eventually.ts';

/** As users' tests wait, but for minutes: only a failure waits so long, and a machine may be busy. */
export const eventually = <T>(holds: () => Promise<T> | T): Promise<T> => within(holds, { timeout: 240_000 });

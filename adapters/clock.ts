import { setTimeout as after } from 'node:timers/promises';
import type { Clock } from '#lib/machinery/clock.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    // setTimeout fires at once beyond 2^31 - 1 ms.
    await after(Math.min(milliseconds, 2 ** 31 - 1), undefined, signal === undefined ? {} : { signal }).catch(
      ignoreAbort,
    );
  },
};

/** An aborted sleep is over, not failed. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}

import type { Clock } from '#lib/machinery/clock.ts';

/** Milliseconds between two looks. Upstream's. */
const INTERVAL = 100;

/** Waits until a node is ready: whether it became so within the milliseconds, and before the signal aborted. */
export async function readyWithin(
  clock: Clock,
  isReady: () => boolean,
  within: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (const end = clock.monotonic() + within; !isReady(); await clock.sleep(INTERVAL, signal))
    if (signal.aborted || clock.monotonic() >= end) return false;
  return true;
}

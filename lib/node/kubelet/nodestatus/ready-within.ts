import type { Clock } from '#lib/machinery/clock.ts';

/** Interval in ms between two checks, as in upstream. */
const INTERVAL = 100;

/** Waits until a node is ready. Returns whether that happened within this many milliseconds and before the signal aborted. */
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

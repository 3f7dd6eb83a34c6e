import type { Clock } from '#lib/machinery/clock.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { throughFreezes } from '#lib/machinery/through-freezes.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';

/** setTimeout fires at once for longer times. */
const LONGEST = MAX_INT32;

/**
 * The sleepers that wake when a signal aborts. They share one listener, because an event target searches its listeners for each new one.
 */
const sleepers = new WeakMap<AbortSignal, Set<() => void>>();

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(milliseconds, signal) {
    if (signal?.aborted === true) return Promise.resolve();
    if (milliseconds > LONGEST)
      return this.sleep(LONGEST, signal).then(() => this.sleep(milliseconds - LONGEST, signal));
    return new Promise((resolve) => {
      const all = signal && sleepersOf(signal);
      const end = (): void => {
        clearTimeout(timer);
        all?.delete(end);
        resolve();
      };
      const timer = setTimeout(end, Math.max(0, milliseconds)); // node logs a warning for a negative time
      all?.add(end);
    });
  },
};

/** The clock for work that spans many requests of a function. The process is frozen between requests, while the watched objects live on. */
export const frozenClock: Clock = throughFreezes(systemClock);

function sleepersOf(signal: AbortSignal): Set<() => void> {
  const known = sleepers.get(signal);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  sleepers.set(signal, all);
  onAbort(signal, () => all.forEach((end) => end()));
  return all;
}

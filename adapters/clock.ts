import type { Clock } from '#lib/machinery/clock.ts';
import { throughFreezes } from '#lib/machinery/through-freezes.ts';

/** setTimeout fires at once beyond this. */
const LONGEST = 2 ** 31 - 1;

/** The sleepers that wake when a signal aborts: one listener for all, as an event target looks through those that it has for each that comes. */
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
      const timer = setTimeout(end, Math.max(0, milliseconds)); // node warns of a time that has passed
      all?.add(end);
    });
  },
};

/** The clock of work that goes on in a function over many requests: the process is frozen between them, while the objects that it watches live on. */
export const frozenClock: Clock = throughFreezes(systemClock);

function sleepersOf(signal: AbortSignal): Set<() => void> {
  const known = sleepers.get(signal);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  sleepers.set(signal, all);
  signal.addEventListener('abort', () => all.forEach((end) => end()), { once: true });
  return all;
}

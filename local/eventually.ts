import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_MS = 5;
const LONGEST_MS = 500;
const FACTOR = 3;

/** Delay in ms after a poll that took `tookMs`, so that a poll that starts a program does not keep a core busy. */
export const pauseAfter = (tookMs: number): number => Math.min(Math.max(tookMs * FACTOR, SHORTEST_MS), LONGEST_MS);

/**
 * Retries until the function does not throw, and returns its result. After `timeout` ms (default 30 s) it throws the last error; only a
 * failure waits that long.
 */
export async function eventually<T>(holds: () => Promise<T> | T, { timeout = 30_000 } = {}): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    const began = performance.now();
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(pauseAfter(performance.now() - began));
  }
}

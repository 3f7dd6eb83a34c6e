import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_MS = 5;
const LONGEST_MS = 500;
const FACTOR = 3;

/**
 * Delay in ms after a poll that took `tookMs`. A slow poll, such as one that starts a program, is delayed longer, so it does not keep a
 * core busy.
 */
export const pauseAfter = (tookMs: number): number => Math.min(Math.max(tookMs * FACTOR, SHORTEST_MS), LONGEST_MS);

/**
 * Retries until the function neither throws nor returns false, and returns its result. After `timeout` ms (default 30 s) it throws the last
 * error. If the last result was false, the error contains `seen`. Only a failure takes that long.
 */
export async function eventually<T>(
  holds: () => Promise<T> | T,
  { timeout = 30_000, seen = () => String(holds) }: { readonly timeout?: number; readonly seen?: () => string } = {},
): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    const began = performance.now();
    let fault = (): unknown => new Error(`not within ${timeout} ms: ${seen()}`);
    try {
      const result = await holds();
      if (result !== false) return result;
    } catch (error) {
      fault = () => error;
    }
    if (performance.now() > end) throw fault();
    await sleep(pauseAfter(performance.now() - began));
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until it does not throw, and gives what it gave then. Throws what it threw last after `timeout` milliseconds, by default 30 seconds: only a failure waits so long. */
export async function eventually<T>(holds: () => Promise<T> | T, { timeout = 30_000 } = {}): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(5);
  }
}

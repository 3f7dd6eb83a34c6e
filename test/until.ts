import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when it holds. Throws after four minutes, with what was waited for: only a failure waits so long. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: () => string = () => 'what is waited for',
): Promise<void> {
  for (const end = performance.now() + 240_000; !(await holds()); await sleep(5))
    if (performance.now() > end) throw new Error(`not within 240 s: ${what()}`);
}

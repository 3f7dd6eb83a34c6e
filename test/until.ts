import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when it holds. Throws after a minute, with what was waited for. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: () => string = () => 'what is waited for',
): Promise<void> {
  for (const end = performance.now() + 60_000; !(await holds()); await sleep(5))
    if (performance.now() > end) throw new Error(`not within 60 s: ${what()}`);
}

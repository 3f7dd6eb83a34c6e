import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '#local/eventually.ts';

/** Resolves when it holds. Throws after four minutes, with what was waited for: only a failure waits so long. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: () => string = () => 'what is waited for',
): Promise<void> {
  const end = performance.now() + 240_000;
  for (;;) {
    const began = performance.now();
    if (await holds()) return;
    if (performance.now() > end) throw new Error(`not within 240 s: ${what()}`);
    await sleep(pauseAfter(performance.now() - began));
  }
}

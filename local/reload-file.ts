import { readFile } from 'node:fs/promises';
import type { Clock } from '#lib/machinery/clock.ts';

/** How often a file is looked at, in milliseconds. */
const PAUSE = 10_000;

interface Reload {
  readonly path: string;
  /** Reads it again, and all that it names. What it throws is reported, and what was before stays. */
  apply(): Promise<void>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  reportFault(error: unknown): void;
}

/** Applies a file again whenever what stands in it has changed, until the signal aborts. */
export async function reloadFile({ path, apply, clock, signal, reportFault }: Reload): Promise<void> {
  const text = (): Promise<string | undefined> =>
    readFile(path, 'utf8').catch((error: unknown) => void reportFault(error));
  let known = await text();
  for (;;) {
    await clock.sleep(PAUSE, signal);
    if (signal?.aborted === true) return;
    const now = await text();
    if (now === undefined || now === known) continue;
    known = now;
    await apply().catch(reportFault);
  }
}

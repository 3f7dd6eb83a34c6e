import { readFile } from 'node:fs/promises';
import type { Clock } from '#lib/machinery/clock.ts';
import type { ConfigReloads } from '#lib/machinery/metrics/config-reloads.ts';

/** Interval in ms between two polls of a file. */
const PAUSE = 10_000;

interface Reload {
  readonly path: string;
  /** Reads the file again, along with all files that it names. If this throws, the error is reported and the previous state stays. */
  apply(): Promise<void>;
  /** Counts the reloads. Default: they are not counted. */
  readonly reloads?: ConfigReloads;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  reportFault(error: unknown): void;
}

/**
 * Applies a file again after each change to its contents, until the signal aborts. An invalid file is retried on every poll, because files
 * that it names may change too.
 */
export async function reloadFile({ path, apply, reloads, clock, signal, reportFault }: Reload): Promise<void> {
  const report = onceEach(reportFault);
  let known = await readFile(path, 'utf8').catch(report);
  if (known !== undefined) reloads?.holds(known);
  for (;;) {
    await clock.sleep(PAUSE, signal);
    if (signal?.aborted === true) return;
    try {
      const now = await readFile(path, 'utf8');
      if (now === known) continue;
      await apply();
      known = now;
      reloads?.succeeded(now);
      report(undefined);
    } catch (error) {
      reloads?.failed();
      report(error);
    }
  }
}

/** Reports an error unless it is the same as the last reported one. */
function onceEach(reportFault: Reload['reportFault']): (error: unknown) => undefined {
  let last: string | undefined;
  return (error) => {
    const text = error === undefined ? undefined : String(error);
    if (text !== undefined && text !== last) reportFault(error);
    last = text;
  };
}

import { type DeadlineOptions, deadline } from './deadline.ts';
import { unlessAborted, untilAborted } from './unless-aborted.ts';

/** The options of a time-out. */
export interface WithinOptions extends DeadlineOptions {
  /** The time in ms for which aborted work may continue. Default 0. */
  readonly grace?: number;
}

/**
 * Settles like `work`. At the time-out, aborts the signal of `work` and rejects with the same error. If `signal` aborts first, it does the
 * same with that signal's reason. The outcome of abandoned work is dropped. No timer or listener remains.
 */
export function within<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  options: WithinOptions,
): Promise<T> {
  const { clock, grace = 0 } = options;
  const aborting = grace > 0 ? { grace: { clock, milliseconds: grace } } : {};
  return limited(milliseconds, options, (own) => unlessAborted(work(own), own, aborting));
}

/** Settles like `work`. At the time-out or when `signal` aborts, aborts the signal of `work` and resolves with undefined. */
export const atMost = <T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  options: Pick<DeadlineOptions, 'clock' | 'signal'>,
): Promise<T | undefined> => limited(milliseconds, options, (own) => untilAborted(work(own), own));

async function limited<T>(
  milliseconds: number,
  options: DeadlineOptions,
  run: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = deadline(milliseconds, options);
  try {
    return await run(late.signal);
  } finally {
    late[Symbol.dispose]();
  }
}

import { type DeadlineOptions, deadline } from './deadline.ts';
import { unlessAborted, untilAborted } from './unless-aborted.ts';

/** The options of a time-out. */
export interface WithinOptions extends DeadlineOptions {
  /** Ends the wait earlier. */
  readonly signal?: AbortSignal | undefined;
  /** The time in ms that aborted work has to end. Default 0. */
  readonly grace?: number;
}

/**
 * Settles like `work`. At the time-out, aborts the signal of `work` and rejects with the same error. If `signal` aborts first, both happen
 * with its reason. The signal of `work` follows `signal` afterwards too, for what outlives the result, such as a body. The outcome of
 * abandoned work is dropped. No timer is left.
 */
export async function within<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, grace = 0, ...limit }: WithinOptions,
): Promise<T> {
  using late = deadline(milliseconds, limit);
  const own = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  return await unlessAborted(work(own), own, grace > 0 ? { grace: { clock: limit.clock, milliseconds: grace } } : {});
}

/** Settles like `work`. At the time-out or when `signal` aborts, aborts the signal of `work` and resolves with undefined. */
export async function atMost<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  { clock, signal }: Pick<WithinOptions, 'clock' | 'signal'>,
): Promise<T | undefined> {
  using late = deadline(milliseconds, { clock });
  const own = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  return await untilAborted(work(own), own);
}

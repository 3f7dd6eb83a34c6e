import { jitter, type Random } from './jitter.ts';

/** An exponential back-off (upstream: wait.Backoff). */
export interface Backoff {
  /** The first delay in ms. Greater than 0. */
  readonly duration: number;
  /** The factor from each delay to the next. */
  readonly factor: number;
  /** The maximum delay in ms, without jitter. Default unlimited. */
  readonly cap?: number;
}

/**
 * A back-off that lengthens each delay at random by up to `jitter` times itself. Callers that fail together then retry at different times.
 */
export interface JitteredBackoff extends Backoff {
  readonly jitter: number;
}

/** The delay in ms after this number of consecutive failures, counted from 1. A `cap` below `duration` also limits the first delay. */
export function delayAfter(failures: number, backoff: Backoff & { readonly jitter?: never }): number;
export function delayAfter(failures: number, backoff: JitteredBackoff, random: Random): number;
export function delayAfter(failures: number, backoff: Backoff | JitteredBackoff, random?: Random): number {
  const { duration, factor, cap = Number.POSITIVE_INFINITY } = backoff;
  const delay = Math.min(duration * factor ** (failures - 1), cap);
  return 'jitter' in backoff && random !== undefined ? jitter(delay, backoff.jitter, random) : delay;
}

import { jitter, type Random } from './jitter.ts';

/** An exponential back-off (upstream: wait.Backoff). */
export interface Backoff {
  /** The first delay in ms. Greater than 0. */
  readonly duration: number;
  /** The growth from each delay to the next. */
  readonly factor: number;
  /** The maximum delay in ms, without jitter. Default unlimited. */
  readonly cap?: number;
}

/** A back-off whose delays grow at random by up to `jitter` times themselves, so that callers that fail together retry apart. */
export interface JitteredBackoff extends Backoff {
  readonly jitter: number;
}

/** The delay in ms after a number of consecutive failures, from 1. A `cap` below `duration` limits the first delay too. */
export function delayAfter(failures: number, backoff: Backoff & { readonly jitter?: never }): number;
export function delayAfter(failures: number, backoff: JitteredBackoff, random: Random): number;
export function delayAfter(failures: number, backoff: Backoff | JitteredBackoff, random?: Random): number {
  const { duration, factor, cap = Number.POSITIVE_INFINITY } = backoff;
  const delay = Math.min(duration * factor ** (failures - 1), cap);
  return 'jitter' in backoff && random !== undefined ? jitter(delay, backoff.jitter, random) : delay;
}

import { messageOfError } from '#lib/machinery/error-message.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import type { Result } from './reconciler.ts';

/** The delay in ms before the second attempt: upstream's base delay of a work queue. */
const BASE_DELAY = 5;
const MAX_BACKOFF = 15 * 60_000;
/** Up to this share of a delay is added at random, so that keys that failed together retry at different times. */
const JITTER = 1;

/** The retry policy. `random` returns numbers from 0 to below 1. */
export interface Persistence {
  /** Infinity means unlimited retries. */
  readonly maxAttempts: number;
  /** The maximum delay in ms between two attempts. Default 15 minutes. */
  readonly maxBackoff?: number;
  random(): number;
}

/** The result of an attempt, or the error that it threw. */
export type Outcome = { readonly result: Result } | { readonly error: unknown };

/** The action that follows an attempt. */
export type Next =
  | { readonly action: 'done' }
  /** Retries after `after` ms, as this attempt number. */
  | { readonly action: 'again'; readonly after: number; readonly attempt: number }
  /** Does not retry. Either this was the last attempt, or the reconciler reported a terminal failure. */
  | { readonly action: 'stop'; readonly reason: string; readonly last: boolean };

/** Returns the action that follows an attempt. All queues use this rule. */
export function nextOf(outcome: Outcome, attempt: number, persistence: Persistence): Next {
  if ('error' in outcome) return nextOfFailure(outcome.error, attempt, persistence);
  const { result } = outcome;
  if (result === undefined) return { action: 'done' };
  if (result.terminal !== undefined) return { action: 'stop', reason: result.terminal, last: false };
  return { action: 'again', after: Math.max(0, result.requeueAfter), attempt: 1 };
}

function nextOfFailure(error: unknown, attempt: number, persistence: Persistence): Next {
  if (attempt >= persistence.maxAttempts) return { action: 'stop', reason: messageOfError(error), last: true };
  return { action: 'again', after: backoff(attempt, persistence), attempt: attempt + 1 };
}

/** The delay in ms before the next attempt. Including its jitter, it is at most `maxBackoff`. */
export const backoff = (attempt: number, { random, maxBackoff = MAX_BACKOFF }: Persistence): number =>
  delayAfter(attempt, { duration: BASE_DELAY, factor: 2, jitter: JITTER, cap: maxBackoff / (1 + JITTER) }, random);

import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Result } from './reconciler.ts';

/** Milliseconds before the second attempt, and at most between two. */
const FIRST_BACKOFF = 5;
const MAX_BACKOFF = 15 * 60_000;

/** The number of attempts; `random` gives numbers from 0 to below 1. */
export interface Persistence {
  /** Infinity: for ever. */
  readonly maxAttempts: number;
  /** Milliseconds between two attempts at most. Default 15 minutes. */
  readonly maxBackoff?: number;
  random(): number;
}

/** The result of an attempt, or the error that it threw. */
export type Outcome = { readonly result: Result } | { readonly error: unknown };

/** The action that follows an attempt. */
export type Next =
  | { readonly action: 'done' }
  /** Once more, `after` milliseconds, as this attempt. */
  | { readonly action: 'again'; readonly after: number; readonly attempt: number }
  /** Never again by itself: after the last attempt, or because the reconciler said so. */
  | { readonly action: 'stop'; readonly reason: string; readonly last: boolean };

/** The action that follows an attempt: the one rule of all queues. */
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

/** Milliseconds before the next attempt: twice as many each time, less up to half by chance, so that keys that failed together do not run together again. */
export function backoff(attempt: number, { random, maxBackoff = MAX_BACKOFF }: Persistence): number {
  const most = Math.min(maxBackoff, FIRST_BACKOFF * 2 ** (attempt - 1));
  return most * (1 - random() / 2);
}

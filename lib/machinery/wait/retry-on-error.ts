import type { Clock } from '../clock.ts';
import { type Backoff, delayAfter } from './backoff.ts';

/** A back-off with the maximum number of attempts. */
export interface LimitedBackoff extends Backoff {
  readonly steps: number;
}

/** The clock of retries, and which errors cause one. */
export interface RetryPorts {
  readonly clock: Pick<Clock, 'sleep'>;
  isRetriable(error: unknown): boolean;
}

/**
 * Returns the result of `work`. Retries after retriable errors, up to `steps` attempts in total. Rejects with the last error (upstream:
 * retry.OnError).
 */
export async function retryOnError<T>(
  work: () => Promise<T>,
  backoff: LimitedBackoff,
  { clock, isRetriable }: RetryPorts,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (failures >= backoff.steps || !isRetriable(error)) throw error;
    }
    await clock.sleep(delayAfter(failures, backoff));
  }
}

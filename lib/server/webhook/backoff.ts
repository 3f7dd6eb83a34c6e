import type { Clock } from '#lib/machinery/clock.ts';
import { retryOnError } from '#lib/machinery/wait/retry-on-error.ts';
import { WebhookError } from './answer.ts';

/** Upstream's DefaultRetryBackoff without its jitter. */
const DEFAULT_RETRY_BACKOFF = { duration: 500, factor: 1.5, steps: 5 };

/** Calls up to five times while the error is transient. The first pause is in ms. Throws the last error. */
export const withBackoff = <T>(
  clock: Clock,
  call: () => Promise<T>,
  duration = DEFAULT_RETRY_BACKOFF.duration,
): Promise<T> => retryOnError(call, { ...DEFAULT_RETRY_BACKOFF, duration }, { clock, isRetriable: isTransient });

const isTransient = (error: unknown): boolean => error instanceof WebhookError && error.isTransient;

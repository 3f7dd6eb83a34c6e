import type { Clock } from '#lib/machinery/clock.ts';
import { WebhookError } from './answer.ts';

/** Upstream's DefaultRetryBackoff without its jitter. */
const ATTEMPTS = 5;
const FIRST = 500;
const GROWTH = 1.5;

/** Calls up to five times while the error is transient. The first pause is in ms. Throws the last error. */
export async function withBackoff<T>(clock: Clock, call: () => Promise<T>, first = FIRST): Promise<T> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof WebhookError) || !error.isTransient) throw error;
    }
    await clock.sleep(first * GROWTH ** (attempt - 1));
  }
  return call();
}

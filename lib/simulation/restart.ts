import { delayAfter } from '#lib/machinery/wait/backoff.ts';

const BACKOFF = { duration: 10_000, factor: 2, cap: 300_000 };
/** The run time in ms after which a container counts as recovered. */
const RECOVERED = 2 * BACKOFF.cap;

/**
 * The delay in ms from a container's end to its next start. It is 0, then 10 s, then doubles up to five minutes, as in the kubelet. It
 * depends only on the restart count, so a restarted server continues. A container that ran for ten minutes restarts immediately.
 */
export function backoffOf(restartCount: number, ran: number): number {
  if (restartCount === 0 || ran >= RECOVERED) return 0;
  return delayAfter(restartCount, BACKOFF);
}

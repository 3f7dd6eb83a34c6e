import { delayAfter } from '#lib/machinery/wait/backoff.ts';

const BACKOFF = { duration: 10_000, factor: 2, cap: 300_000 };
/** The run time in ms after which a container counts as recovered. */
const RECOVERED = 2 * BACKOFF.cap;

/**
 * The time in ms from a container's end to its next start: none, then 10 s, doubled up to five minutes, like the kubelet's. It depends only
 * on the restart count, so that a restarted server continues. A container that ran for ten minutes restarts at once.
 */
export function backoffOf(restartCount: number, ran: number): number {
  if (restartCount === 0 || ran >= RECOVERED) return 0;
  return delayAfter(restartCount, BACKOFF);
}

const FIRST = 10_000;
const LONGEST = 300_000;
/** A container that ran so long has recovered. */
const RECOVERED = 2 * LONGEST;

/**
 * Milliseconds from a container's end to its next start: none, then 10 s, doubled up to five minutes, as the kubelet's. It follows from
 * the count of restarts alone, so that a restarted server goes on; a container that ran for ten minutes starts at once.
 */
export function backoffOf(restartCount: number, ran: number): number {
  if (restartCount === 0 || ran >= RECOVERED) return 0;
  return Math.min(LONGEST, FIRST * 2 ** (restartCount - 1));
}

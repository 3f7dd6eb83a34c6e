import { Expiring } from '#lib/machinery/expiring.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

const BACKOFF = { duration: 1000, factor: 2, cap: 15 * 60_000 };
const MOST = 10_000;

/** The delay before a pod that failed on a node is replaced. It doubles with each consecutive failure. */
export class FailedPods {
  readonly #failed = new Expiring<{ readonly failures: number; readonly since: number }>(MOST);

  /** The remaining time in ms, 0 if the pod may be replaced now. */
  left(key: string, now: number): number {
    const held = this.#failed.get(key, now);
    return held === undefined ? 0 : Math.max(0, held.since + delayAfter(held.failures, BACKOFF) - now);
  }

  /** Records that a failed pod is replaced. `now` is in ms since 1970. */
  replaced(key: string, now: number): void {
    const failures = (this.#failed.get(key, now)?.failures ?? 0) + 1;
    this.#failed.set(key, { failures, since: now }, now + 2 * BACKOFF.cap);
  }
}

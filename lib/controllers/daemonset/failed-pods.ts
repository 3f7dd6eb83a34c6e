import { Expiring } from '#lib/machinery/expiring.ts';

const [FIRST, LONGEST] = [1000, 15 * 60_000];
const MOST = 10_000;

/** The delay before a pod that failed on a node is replaced. It doubles with each consecutive failure. */
export class FailedPods {
  readonly #delays = new Expiring<{ readonly delay: number; readonly since: number }>(MOST);

  /** The remaining time in ms, 0 if the pod may be replaced now. */
  left(key: string, now: number): number {
    const held = this.#delays.get(key, now);
    return held === undefined ? 0 : Math.max(0, held.since + held.delay - now);
  }

  /** Records that a failed pod is replaced. `now` is in ms since 1970. */
  replaced(key: string, now: number): void {
    const held = this.#delays.get(key, now);
    const delay = held === undefined ? FIRST : Math.min(2 * held.delay, LONGEST);
    this.#delays.set(key, { delay, since: now }, now + 2 * LONGEST);
  }
}

import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** The limits of a back-off in milliseconds. */
export interface BackoffOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly initial: number;
  readonly max: number;
  /** Time after its last step at which a key is forgotten. Defaults to twice `max`. */
  readonly expiresAfter?: number;
}

interface Entry {
  readonly failures: number;
  readonly backoff: number;
  readonly lastUpdate: number;
}

/** Delays by key that double without jitter (upstream: flowcontrol.Backoff). Times are in milliseconds of the given clock. */
export class Backoff {
  readonly #entries = new Map<string, Entry>();
  readonly #options: Required<BackoffOptions>;

  constructor(options: BackoffOptions) {
    this.#options = { expiresAfter: 2 * options.max, ...options };
  }

  /** The delay of a key in milliseconds, 0 for an unknown key. */
  get(key: string): number {
    return this.#entries.get(key)?.backoff ?? 0;
  }

  /** Doubles or initializes the delay of a key. `eventTime` is the time of the last failure. */
  next(key: string, eventTime: number): void {
    const { clock, initial, max } = this.#options;
    const failures = (this.#known(key, eventTime)?.failures ?? 0) + 1;
    const backoff = delayAfter(failures, { duration: initial, factor: 2, cap: max });
    this.#entries.set(key, { failures, backoff, lastUpdate: clock.now() });
  }

  /** Whether less time than the delay has passed since the event. */
  isInBackOffSince(key: string, eventTime: number): boolean {
    const known = this.#known(key, eventTime);
    return known !== undefined && this.#options.clock.now() - eventTime < known.backoff;
  }

  /** Whether the event occurred within the delay after the last step. */
  isInBackOffSinceUpdate(key: string, eventTime: number): boolean {
    const known = this.#known(key, eventTime);
    return known !== undefined && eventTime - known.lastUpdate < known.backoff;
  }

  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets the keys whose last step is too old. */
  collect(): void {
    const now = this.#options.clock.now();
    for (const key of this.#entries.keys()) if (this.#known(key, now) === undefined) this.#entries.delete(key);
  }

  #known(key: string, time: number): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || time - entry.lastUpdate > this.#options.expiresAfter ? undefined : entry;
  }
}

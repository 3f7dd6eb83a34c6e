import type { Clock } from '#lib/machinery/clock.ts';

/** The bounds of a back-off, in milliseconds. */
export interface BackoffOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly initial: number;
  readonly max: number;
  /** A key is forgotten so long after its last step; twice `max` without it. */
  readonly expiresAfter?: number;
}

interface Entry {
  backoff: number;
  lastUpdate: number;
}

/** Delays that double by key, without jitter (upstream: flowcontrol.Backoff). Times are milliseconds of the clock that it is given. */
export class Backoff {
  readonly #entries = new Map<string, Entry>();
  readonly #options: Required<BackoffOptions>;

  constructor(options: BackoffOptions) {
    this.#options = { expiresAfter: 2 * options.max, ...options };
  }

  /** The delay of a key in milliseconds; 0 for one that is not known. */
  get(key: string): number {
    return this.#entries.get(key)?.backoff ?? 0;
  }

  /** Doubles the delay of a key, or starts it. `eventTime` is when the last failure was. */
  next(key: string, eventTime: number): void {
    const { clock, initial, max } = this.#options;
    const known = this.#known(key, eventTime);
    const backoff = known === undefined ? initial : Math.min(2 * known.backoff, max);
    this.#entries.set(key, { backoff, lastUpdate: clock.now() });
  }

  /** Whether less time than the delay has passed since the event. */
  isInBackOffSince(key: string, eventTime: number): boolean {
    const known = this.#known(key, eventTime);
    return known !== undefined && this.#options.clock.now() - eventTime < known.backoff;
  }

  /** Whether the event came within the delay of the last step. */
  isInBackOffSinceUpdate(key: string, eventTime: number): boolean {
    const known = this.#known(key, eventTime);
    return known !== undefined && eventTime - known.lastUpdate < known.backoff;
  }

  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets the keys whose last step is too long ago. */
  collect(): void {
    const now = this.#options.clock.now();
    for (const key of this.#entries.keys()) if (this.#known(key, now) === undefined) this.#entries.delete(key);
  }

  #known(key: string, time: number): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || time - entry.lastUpdate > this.#options.expiresAfter ? undefined : entry;
  }
}

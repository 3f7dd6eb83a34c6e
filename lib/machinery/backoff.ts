import type { Clock } from './clock.ts';

/** The bounds of a backoff, in milliseconds. */
export interface BackoffOptions {
  readonly initial: number;
  readonly max: number;
  readonly clock: Clock;
}

interface Entry {
  readonly delay: number;
  /** By the clock's monotonic time. */
  readonly updated: number;
}

/** Delays that double with each failure of a key, and begin anew after twice the longest delay (upstream: flowcontrol.Backoff). */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The key's delay in milliseconds; 0 without a failure. */
  get(key: string): number {
    return this.#entries.get(key)?.delay ?? 0;
  }

  /** Counts a failure of the key. */
  next(key: string): void {
    const { initial, max, clock } = this.#options;
    const entry = this.#entries.get(key);
    const delay = entry === undefined || this.#hasExpired(entry) ? initial : Math.min(entry.delay * 2, max);
    this.#entries.set(key, { delay, updated: clock.monotonic() });
  }

  /** Whether the key's delay since its last failure is not over. */
  isInBackOffSinceUpdate(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && !this.#hasExpired(entry) && this.#since(entry) < entry.delay;
  }

  /** Forgets the key's failures. */
  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets keys whose failures are long past. */
  gc(): void {
    for (const [key, entry] of this.#entries) if (this.#hasExpired(entry)) this.#entries.delete(key);
  }

  #since({ updated }: Entry): number {
    return this.#options.clock.monotonic() - updated;
  }

  #hasExpired(entry: Entry): boolean {
    return this.#since(entry) > this.#options.max * 2;
  }
}

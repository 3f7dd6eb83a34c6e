import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** The number of consecutive failures after which calls to an endpoint pause. */
const TOLERATED = 3;
/** The pause before the next call to an endpoint, in ms. */
const PAUSE = { duration: 1000, factor: 2, cap: 30_000 };
/** The maximum number of remembered endpoints. The one that failed longest ago is dropped first. */
const CAPACITY = 1000;

interface Broken {
  failures: number;
  pausedUntil: number;
  lastFault: string;
}

/**
 * Tracks unresponsive endpoints, so that requests do not wait for them again. After three consecutive failures, calls pause for a second.
 * The pause doubles up to half a minute. After each pause, one call tries again.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #broken = new Map<string, Broken>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns why this endpoint must not be called now. Undefined if it may be called. The first caller after a pause makes the trial call.
   */
  refusal(endpoint: string): string | undefined {
    const broken = this.#broken.get(endpoint);
    if (broken === undefined || broken.failures < TOLERATED) return undefined;
    const now = this.#clock.monotonic();
    const left = broken.pausedUntil - now;
    if (left <= 0) {
      broken.pausedUntil = now + pause(broken.failures);
      return undefined;
    }
    return `not called: it did not answer ${broken.failures} times in a row, the last time with: ${broken.lastFault}; it is tried again in ${Math.ceil(left / 1000)}s; check that the webhook runs and that its clientConfig leads to it`;
  }

  succeeded(endpoint: string): void {
    this.#broken.delete(endpoint);
  }

  failed(endpoint: string, fault: string): void {
    const failures = (this.#broken.get(endpoint)?.failures ?? 0) + 1;
    this.#broken.delete(endpoint);
    const pausedUntil = this.#clock.monotonic() + pause(failures);
    this.#broken.set(endpoint, { failures, pausedUntil, lastFault: fault });
    const [oldest] = this.#broken.keys();
    if (this.#broken.size > CAPACITY && oldest !== undefined) this.#broken.delete(oldest);
  }
}

const pause = (failures: number): number => delayAfter(Math.max(1, failures - TOLERATED + 1), PAUSE);

import type { Clock } from '#lib/machinery/clock.ts';

/** Milliseconds that a change may wait for its rules: kube-proxy's health timeout is twice its sync period. */
const TIMEOUT = 60_000;

/** Whether the proxy keeps up: unhealthy where a change has waited for too long (upstream: ProxyHealthServer). */
export class ProxyHealth {
  readonly #clock: Clock;
  #oldest: number | undefined;
  #isUpdated = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A change waits for its rules. */
  queued(): void {
    this.#oldest ??= this.#clock.monotonic();
  }

  /** The rules are those that are wanted. */
  updated(): void {
    this.#oldest = undefined;
    this.#isUpdated = true;
  }

  /** False before the first rules. */
  get isHealthy(): boolean {
    return this.#isUpdated && (this.#oldest === undefined || this.#clock.monotonic() - this.#oldest < TIMEOUT);
  }
}

import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** The work of a runner and its times in ms. */
export interface RunnerOptions {
  readonly clock: Clock;
  /** The time from the end of a run to the start of the next one. */
  readonly minInterval: number;
  /** The time between runs without a trigger. */
  readonly maxInterval: number;
  /** The delay before the first run after a failure. Each further failure doubles it. */
  readonly retryInterval: number;
  readonly maxRetryInterval: number;
  /** Returns the maximum delay in ms before the next run, or undefined for `maxInterval`. Rejects to request a retry. */
  work(): Promise<number | undefined>;
  /** Reports a failed run. Another run follows. */
  onFault(error: unknown): void;
}

/**
 * Runs work soon after a trigger, but never more often than `minInterval` allows. Triggers in the meantime are combined in one run
 * (upstream: BoundedFrequencyRunner, which does not increase its retry interval).
 */
export class BoundedFrequencyRunner {
  readonly #options: RunnerOptions;
  #asked = new AbortController();
  #failures = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Requests a run. */
  trigger(): void {
    this.#asked.abort();
  }

  /** Performs requested runs until the signal aborts. The first run waits for a trigger. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, minInterval } = this.#options;
    for (let wait = Infinity; !signal.aborted; ) {
      await clock.sleep(wait, AbortSignal.any([signal, this.#asked.signal]));
      if (signal.aborted) return;
      this.#asked = new AbortController(); // a trigger during the run requests the next one
      wait = await this.#once();
      await clock.sleep(minInterval, signal);
      wait = Math.max(0, wait - minInterval);
    }
  }

  /** Performs a run. Returns how long the next run may wait. */
  async #once(): Promise<number> {
    const { work, onFault, maxInterval, retryInterval, maxRetryInterval } = this.#options;
    try {
      const next = await work();
      this.#failures = 0;
      return Math.min(next ?? maxInterval, maxInterval);
    } catch (error) {
      onFault(error);
      return delayAfter(++this.#failures, { duration: retryInterval, factor: 2, cap: maxRetryInterval });
    }
  }
}

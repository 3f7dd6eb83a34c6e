import type { Clock } from '#lib/machinery/clock.ts';

/** The work of a runner, and its times in milliseconds. */
export interface RunnerOptions {
  readonly clock: Clock;
  /** Between the end of a run and the begin of the next. */
  readonly minInterval: number;
  /** Between runs that nobody asked for. */
  readonly maxInterval: number;
  /** Before the first run after a failure; each failure doubles it. */
  readonly retryInterval: number;
  readonly maxRetryInterval: number;
  /** Gives the milliseconds after which it is to run again at the latest; undefined: `maxInterval`. Rejects where it has to run again soon. */
  work(): Promise<number | undefined>;
  /** A run failed, and another one follows. */
  onFault(error: unknown): void;
}

/**
 * Runs work soon after it is asked for, and never more often than `minInterval` allows: what is asked for meanwhile is one run
 * (upstream: BoundedFrequencyRunner, which does not lengthen its retry interval).
 */
export class BoundedFrequencyRunner {
  readonly #options: RunnerOptions;
  #asked = new AbortController();
  #failures = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Asks for a run. */
  trigger(): void {
    this.#asked.abort();
  }

  /** Runs what is asked for until the signal aborts. The first run waits for a trigger. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, minInterval } = this.#options;
    for (let wait = Infinity; !signal.aborted; ) {
      await clock.sleep(wait, AbortSignal.any([signal, this.#asked.signal]));
      if (signal.aborted) return;
      this.#asked = new AbortController(); // a trigger during the run asks for the next one
      wait = await this.#once();
      await clock.sleep(minInterval, signal);
      wait = Math.max(0, wait - minInterval);
    }
  }

  /** Gives how long the next run may wait. */
  async #once(): Promise<number> {
    const { work, onFault, maxInterval, retryInterval, maxRetryInterval } = this.#options;
    try {
      const next = await work();
      this.#failures = 0;
      return Math.min(next ?? maxInterval, maxInterval);
    } catch (error) {
      onFault(error);
      return Math.min(retryInterval * 2 ** this.#failures++, maxRetryInterval);
    }
  }
}

import type { Clock } from '#lib/machinery/clock.ts';

/** Milliseconds that a change waits for others, so that several make one report. */
const SETTLE = 100;

/** Has the status of the node reported soon after a change, before its period is over. */
export class StatusTrigger {
  #wake = new AbortController();

  /** Something changed that the status shows: it is looked at within 100 ms. */
  trigger(): void {
    this.#wake.abort();
  }

  /** Resolves after the period, soon after a change, or when the signal aborts. A change since the last call counts. */
  async wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
    await clock.sleep(milliseconds, AbortSignal.any([signal, this.#wake.signal]));
    if (!this.#wake.signal.aborted) return;
    await clock.sleep(SETTLE, signal);
    this.#wake = new AbortController();
  }
}

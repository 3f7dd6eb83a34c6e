import type { Clock } from '#lib/machinery/clock.ts';

/** Time in ms to wait for further changes, so that several changes cause one report. */
const SETTLE = 100;

/** Triggers a report of the node's status soon after a change, before the next periodic report. */
export class StatusTrigger {
  #wake = new AbortController();

  /** Called when a part of the status changed. The status is checked within 100 ms. */
  trigger(): void {
    this.#wake.abort();
  }

  /** Resolves after the period, soon after a change, or when the signal aborts. A change since the last call also counts. */
  async wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
    await clock.sleep(milliseconds, AbortSignal.any([signal, this.#wake.signal]));
    if (!this.#wake.signal.aborted) return;
    await clock.sleep(SETTLE, signal);
    this.#wake = new AbortController();
  }
}

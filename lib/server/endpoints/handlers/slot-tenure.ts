import type { Clock } from '#lib/machinery/clock.ts';
import { SLOT_LOOK, type WatchSlot } from '#lib/server/flowcontrol/watch-slots.ts';

/** Polls whether a watch still has its slot. */
export class SlotTenure {
  readonly #slot: WatchSlot;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #lost = new AbortController();

  constructor(slot: WatchSlot, clock: Clock) {
    this.#slot = slot;
    this.#clock = clock;
    void this.#look();
  }

  /** Aborts when the slot is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Stops polling. */
  close(): void {
    this.#over.abort();
  }

  async #look(): Promise<void> {
    const { signal } = this.#over;
    while (!this.#lost.signal.aborted) {
      await this.#clock.sleep(SLOT_LOOK, signal);
      if (signal.aborted) return;
      // If the table does not respond, the watch keeps its slot.
      if (!(await this.#slot.isHeld().catch(() => true))) this.#lost.abort();
    }
  }
}

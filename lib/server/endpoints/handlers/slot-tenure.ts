import type { Clock } from '#lib/machinery/clock.ts';
import { SLOT_LOOK, type WatchSlot } from '#lib/server/flowcontrol/watch-slots.ts';

/** Polls whether a watch still has its slot. */
export class SlotTenure {
  readonly #slot: WatchSlot;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #isLost = false;
  #tell: (() => void) | undefined;

  constructor(slot: WatchSlot, clock: Clock) {
    this.#slot = slot;
    this.#clock = clock;
    void this.#look();
  }

  /** Resolves when the slot is lost. The promise of an earlier call stays pending. */
  loss(): Promise<undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#tell = () => resolve(undefined);
    if (this.#isLost) this.#tell();
    return promise;
  }

  /** Stops polling. */
  close(): void {
    this.#over.abort();
  }

  async #look(): Promise<void> {
    const { signal } = this.#over;
    while (!this.#isLost) {
      await this.#clock.sleep(SLOT_LOOK, signal);
      if (signal.aborted) return;
      // If the table does not respond, the watch keeps its slot.
      this.#isLost = !(await this.#slot.isHeld().catch(() => true));
    }
    this.#tell?.();
  }
}

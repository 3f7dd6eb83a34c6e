/**
 * Limits open watches if each of them occupies a process, so that processes remain for other requests. All processes share the slots.
 * `watch-slots.conformance.ts` is the test suite for every implementation.
 */
export interface WatchSlots {
  /**
   * Takes a slot, if necessary from another watch (`watch-share.ts`). Undefined if no slot is available for this watch. Throws StoreError
   * if the slots cannot be read.
   */
  take(asker: SlotAsker): Promise<WatchSlot | undefined>;
}

/** A watch that needs a slot. */
export interface SlotAsker {
  /** The user that holds the slot. Slots of EXEMPT are never taken away. */
  readonly holder: string;
  /** Identifies the watch. Equal if the same client opens the same watch again. */
  readonly watch: string;
  /** The time in ms after which an unreleased slot becomes free. */
  readonly milliseconds: number;
}

/** The holder of administrators' slots. */
export const EXEMPT = '';

/** A slot that a watch took. */
export interface WatchSlot {
  /** False after another watch took the slot. Throws like `take`. */
  isHeld(): Promise<boolean>;
  /** Releases the slot, at most once. Has no effect if another watch already took it. Throws like `take`. */
  release(): Promise<void>;
}

/** The interval in ms at which a watch checks whether it still has its slot. */
export const SLOT_LOOK = 30_000;

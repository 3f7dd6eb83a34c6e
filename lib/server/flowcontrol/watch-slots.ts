/**
 * Limits the open watches if each holds a process of its own, so that processes are left for other requests. All processes
 * share the slots; `watch-slots.conformance.ts` is the suite of every implementation.
 */
export interface WatchSlots {
  /**
   * Takes a slot, if need be from another watch (`watch-share.ts`). Undefined if there is none for this watch now. Throws
   * StoreError if the slots cannot be read.
   */
  take(asker: SlotAsker): Promise<WatchSlot | undefined>;
}

/** The watch that asks for a slot. */
export interface SlotAsker {
  /** Identifies the user who holds the slot; EXEMPT holds slots that nobody takes away. */
  readonly holder: string;
  /** Identifies the watch: equal for a watch that the same client opens again. */
  readonly watch: string;
  /** A slot that is not released is free again after so long. */
  readonly milliseconds: number;
}

/** The holder of the slots of administrators. */
export const EXEMPT = '';

/** A slot that a watch has taken. */
export interface WatchSlot {
  /** False once another watch has the slot. Throws as `take`. */
  isHeld(): Promise<boolean>;
  /** Releases the slot, once. A slot that another watch has by now stays taken. Throws as `take`. */
  release(): Promise<void>;
}

/** How often a watch looks whether it still has its slot, in milliseconds. */
export const SLOT_LOOK = 30_000;

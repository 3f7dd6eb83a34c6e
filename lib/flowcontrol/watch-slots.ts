/**
 * How many watches may be open where each holds a process of its own: some are left for other requests. Shared by all
 * processes; `watch-slots.conformance.ts` is its suite.
 */
export interface WatchSlots {
  /**
   * Takes a slot for so many milliseconds at most: one that is not given back by then is free again. Undefined where none is
   * free. Throws StoreError where nobody can tell.
   */
  take(milliseconds: number): Promise<WatchSlot | undefined>;
}

/** A slot that a watch has taken. */
export interface WatchSlot {
  /** Gives the slot back, once; that of another, who took it after its time, stays taken. Throws as `take`. */
  release(): Promise<void>;
}

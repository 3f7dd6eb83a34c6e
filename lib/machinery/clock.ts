/** The port for time. lib reads no clock directly. */
export interface Clock {
  /** The wall time in ms since 1970. */
  now(): number;
  /** The monotonic time in ms since an arbitrary start. Never decreases, even if the wall clock is set back. */
  monotonic(): number;
  /** Resolves after `milliseconds`, in the next event loop iteration if that is zero or less, or immediately when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

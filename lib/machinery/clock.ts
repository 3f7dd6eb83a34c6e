/** The port for time. lib reads no clock directly. */
export interface Clock {
  /** The wall time in ms since 1970. */
  now(): number;
  /** The monotonic time in ms since an arbitrary start. It never goes back, even if the wall clock does. */
  monotonic(): number;
  /** Resolves after `milliseconds`, at the next turn of the event loop if that is zero or less, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

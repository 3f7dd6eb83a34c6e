/** Time as a port: lib reads no clock of its own. */
export interface Clock {
  /** Wall time, milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back, also over a change of the wall clock. */
  monotonic(): number;
  /** Resolves after `milliseconds`, in the next turn where they are none or fewer, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

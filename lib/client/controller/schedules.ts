/** Sends messages at times that are too far away for a queue. */
export interface Schedules {
  /**
   * Sends `body` once at `at` (ms since 1970), with a precision of about a minute. Repeated identical calls send it once. Throws
   * StoreError.
   */
  once(body: string, at: number): Promise<void>;
}

/** Sends messages at times beyond the maximum delay of a queue. */
export interface Schedules {
  /**
   * Sends `body` once at `at` (ms since 1970), with a precision of about a minute. Identical calls send it only once. Throws StoreError.
   */
  once(body: string, at: number): Promise<void>;
}

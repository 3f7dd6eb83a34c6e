/** Sends texts at times that no queue can wait for. */
export interface Schedules {
  /** Sends `body` once at `at` (milliseconds since 1970), to the minute or so. The same asked for again is sent once. Throws StoreError. */
  once(body: string, at: number): Promise<void>;
}

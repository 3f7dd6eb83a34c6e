/** An entry that will not be taken however often it is sent. */
export interface Refusal {
  /** Its place in what was sent. */
  readonly index: number;
  readonly reason: string;
}

/** Where entries go: a bus, a queue. At least once. `outlet.conformance.ts` is its suite. */
export interface Outlet<T> {
  /**
   * Sends entries so that of one group (a key, as the implementation says) an earlier one is there before a later one is sent.
   * Resolves when each was taken or refused for good, with the refused. Throws StoreError Overloaded or Unavailable when no
   * more is taken for now: any of them may have been taken.
   */
  send(entries: readonly T[]): Promise<readonly Refusal[]>;
}

/** An entry that is refused for good. */
export interface Refusal {
  /** Its index in the sent entries. */
  readonly index: number;
  readonly reason: string;
}

/** A target for entries such as a bus or a queue, with at-least-once delivery. Tested by `sink.conformance.ts`. */
export interface Sink<T> {
  /**
   * Sends entries. Within a group (a key defined by the implementation), an earlier entry arrives before a later one is sent. Resolves
   * after each entry was accepted or refused for good, with the refused ones. Throws StoreError Overloaded or Unavailable if the target
   * temporarily accepts no more entries. Any entry may then have been accepted.
   */
  send(entries: readonly T[]): Promise<readonly Refusal[]>;
}

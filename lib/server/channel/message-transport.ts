/**
 * One connection between two ends. It carries messages of at most 32 KiB (`MAX_MESSAGE`) and may lose, repeat, delay and reorder them,
 * also those that it has taken.
 */
export interface MessageTransport {
  /** Messages that may be on the way to the transport at once. */
  readonly parallel: number;
  /** Resolves when the transport takes more. Rejects when the connection is over. */
  send(message: Uint8Array): Promise<void>;
  /** Ends the connection, and says why to the other end where it can. */
  close(reason: string): void;
}

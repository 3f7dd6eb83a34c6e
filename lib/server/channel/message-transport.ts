/**
 * One connection between two ends. It transports messages of at most 32 KiB (`MAX_MESSAGE`). It may lose, repeat, delay and reorder them,
 * even after accepting them.
 */
export interface MessageTransport {
  /** The maximum number of messages in flight on the transport. */
  readonly parallel: number;
  /** Resolves when the transport accepts more. Rejects when the connection has ended. */
  send(message: Uint8Array): Promise<void>;
  /** Ends the connection. Sends the reason to the peer if possible. */
  close(reason: string): void;
}

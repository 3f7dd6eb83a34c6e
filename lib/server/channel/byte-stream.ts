/** Bytes both ways between two ends, each direction with an end of its own. */
export interface ByteStream {
  /** Ends with the other side's last byte. Throws when the stream breaks. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Resolves when the stream takes more. Rejects when it is broken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that this side writes no more. */
  end(): void;
  /** Resolves when every byte and the end have been delivered, so that `destroy` loses nothing. Rejects when the stream breaks before. */
  readonly delivered: Promise<void>;
  /** Breaks off both directions. */
  destroy(): void;
}

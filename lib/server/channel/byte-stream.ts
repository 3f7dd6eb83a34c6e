/** A bidirectional byte stream between two ends. Each direction ends separately. */
export interface ByteStream {
  /** The bytes of the peer. Ends after the last one. Throws when the stream breaks. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Resolves when the stream accepts more. Rejects when it is broken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the sending direction. */
  end(): void;
  /** Resolves when every byte and the end are delivered, so that `destroy` loses nothing. Rejects if the stream breaks before that. */
  readonly delivered: Promise<void>;
  /** Aborts both directions. */
  destroy(): void;
}

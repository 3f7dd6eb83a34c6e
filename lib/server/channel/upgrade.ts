/** One end's half of a connection that no longer uses HTTP. */
export interface Upgrade {
  /** Receives the peer's bytes until they end or the connection breaks. Never rejects. A slow receiver slows the sender down. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Set if this end only sends a response. A client that does not read is then disconnected, like for any response. Sessions wait instead.
   */
  readonly isOwn?: true;
}

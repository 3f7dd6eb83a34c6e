/** One end's half of a connection that has left HTTP. */
export interface Upgrade {
  /** Takes the other end's bytes until they end or the connection breaks; never rejects. Slow takers slow the sender down. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

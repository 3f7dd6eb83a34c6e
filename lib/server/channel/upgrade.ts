/** One end's half of a connection that has left HTTP. */
export interface Upgrade {
  /** Takes the other end's bytes until they end or the connection breaks; never rejects. Slow takers slow the sender down. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Set where this end only answers: a client that reads nothing is disconnected, as it is of any answer. Sessions wait. */
  readonly isOwn?: true;
}

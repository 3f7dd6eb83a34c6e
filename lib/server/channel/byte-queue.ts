/** The minimum size of a piece in bytes, so that not every small write allocates one. */
const PIECE = 4096;

/** A queue of bytes, stored compactly however small the chunks are. */
export class ByteQueue {
  #pieces: Buffer[] = [];
  /** The used bytes of the last piece. */
  #used = 0;
  #length = 0;

  /** The number of bytes in the queue. */
  get length(): number {
    return this.#length;
  }

  /** Appends a copy of the bytes. */
  push(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let from = 0;
    while (from < bytes.length) {
      const last = this.#roomy(bytes.length - from);
      const count = Math.min(last.length - this.#used, bytes.length - from);
      last.set(bytes.subarray(from, from + count), this.#used);
      this.#used += count;
      from += count;
    }
  }

  /** Removes and returns the first bytes, at most `limit`. Undefined if the queue is empty. */
  shift(limit = Number.POSITIVE_INFINITY): Uint8Array | undefined {
    const [first] = this.#pieces;
    if (first === undefined) return undefined;
    const isLast = this.#pieces.length === 1;
    const whole = isLast ? first.subarray(0, this.#used) : first;
    const taken = whole.subarray(0, limit);
    this.#length -= taken.length;
    if (taken.length === whole.length) this.#pieces.shift();
    else {
      this.#pieces[0] = first.subarray(taken.length);
      if (isLast) this.#used -= taken.length;
    }
    return taken;
  }

  #roomy(wanted: number): Buffer {
    const last = this.#pieces.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const fresh = Buffer.allocUnsafe(Math.max(PIECE, wanted));
    this.#pieces.push(fresh);
    this.#used = 0;
    return fresh;
  }
}

import { ByteQueue } from './byte-queue.ts';
import { WINDOW } from './frame.ts';
import type { Piece } from './send-window.ts';

/** The maximum number of pieces that are stored after a gap. The peer sends the others again. */
const MAX_HELD = 64;

/** The receiving half of a stream. It orders pieces, drops repeats, and accepts only as many bytes as its reader has space for. */
export class ReceiveWindow {
  readonly #queue = new ByteQueue();
  /** Pieces after a gap, by offset. */
  readonly #held = new Map<number, Piece>();
  #received = 0;
  #hasEnd = false;
  #failure: Error | undefined;
  #wake = (): void => {};
  readonly #consumed: () => void;

  /** Calls `consumed` when the reader has freed space. */
  constructor(consumed: () => void) {
    this.#consumed = consumed;
  }

  /** The offset before which everything has arrived. */
  get received(): number {
    return this.#received;
  }

  /** The offset up to which pieces are accepted. */
  get limit(): number {
    return this.#received + WINDOW - this.#queue.length;
  }

  /** Whether everything including the end has arrived. */
  get isDone(): boolean {
    return this.#hasEnd;
  }

  /** Accepts a piece. Returns false if it extends nothing: it is a repeat, or follows a gap. */
  accept(piece: Piece): boolean {
    const before = this.#received;
    if (!this.#hasEnd) this.#place(piece);
    return this.#received > before;
  }

  #place(piece: Piece): void {
    if (piece.offset + piece.bytes.length > this.limit) return;
    if (piece.offset > this.#received) return this.#hold(piece);
    this.#append(piece);
    for (const [offset, held] of [...this.#held].sort(([a], [b]) => a - b)) {
      if (offset > this.#received) break;
      this.#held.delete(offset);
      this.#append(held);
    }
    this.#wake();
  }

  #hold(piece: Piece): void {
    const known = this.#held.get(piece.offset);
    if (known === undefined ? this.#held.size >= MAX_HELD : known.bytes.length >= piece.bytes.length) return;
    this.#held.set(piece.offset, { ...piece, bytes: Uint8Array.from(piece.bytes) }); // a view would keep the whole message in memory
  }

  #append({ offset, bytes, end }: Piece): void {
    const fresh = bytes.subarray(this.#received - offset);
    this.#queue.push(fresh);
    this.#received += fresh.length;
    if (!end || offset + bytes.length !== this.#received) return;
    this.#received += 1;
    this.#hasEnd = true;
    this.#held.clear();
  }

  /** Breaks the stream after the bytes that have arrived. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#held.clear();
    this.#wake();
  }

  /** Yields the bytes as they arrive. Throws when the stream is broken. */
  async *read(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const bytes = this.#queue.shift();
      if (bytes !== undefined) {
        this.#consumed();
        yield bytes;
      } else if (this.#hasEnd) return;
      else if (this.#failure !== undefined) throw this.#failure;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}

import { ByteQueue } from './byte-queue.ts';
import { WINDOW } from './frame.ts';
import type { Piece } from './send-window.ts';

/** Pieces that are kept before what precedes them has come; others come again. */
const MAX_HELD = 64;

/** The receiving half of a stream: puts pieces in order, drops repeats, and takes no more than its reader leaves room for. */
export class ReceiveWindow {
  readonly #queue = new ByteQueue();
  /** Pieces behind a gap, by offset. */
  readonly #held = new Map<number, Piece>();
  #received = 0;
  #hasEnd = false;
  #failure: Error | undefined;
  #wake = (): void => {};
  readonly #consumed: () => void;

  /** `consumed` is told when the reader has made room. */
  constructor(consumed: () => void) {
    this.#consumed = consumed;
  }

  /** Everything before it is here. */
  get received(): number {
    return this.#received;
  }

  /** Pieces that end at or before it are taken. */
  get limit(): number {
    return this.#received + WINDOW - this.#queue.length;
  }

  /** Whether everything, the end too, is here. */
  get isDone(): boolean {
    return this.#hasEnd;
  }

  /** Takes a piece. False where it adds nothing to what is in order: a repeat, or behind a gap. */
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
    this.#held.set(piece.offset, { ...piece, bytes: Uint8Array.from(piece.bytes) }); // a view would keep its message
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

  /** Breaks the stream off behind what is here. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#held.clear();
    this.#wake();
  }

  /** The bytes as they come. Throws when the stream is broken. */
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

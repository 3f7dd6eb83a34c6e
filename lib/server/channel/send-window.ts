import { MAX_DATA, WINDOW } from './frame.ts';

/** Bytes of a stream that are sent together. The end of the stream counts as one more byte. */
export interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly end: boolean;
}

const after = ({ offset, bytes, end }: Piece): number => offset + bytes.length + (end ? 1 : 0);

interface Write {
  bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The sending half of a stream. It keeps unacknowledged data, and sends no more than the peer accepts. */
export class SendWindow {
  #unacknowledged: Piece[] = [];
  #again: Piece[] = [];
  readonly #writes: Write[] = [];
  #offset = 0;
  #limit = 0;
  #end: 'open' | 'asked' | 'sent' = 'open';
  #failure: Error | undefined;
  readonly #delivered = Promise.withResolvers<void>();

  constructor() {
    this.#delivered.promise.catch(() => undefined); // callers rarely await it, and writers receive the error
  }

  /** Resolves when everything including the end has arrived. Rejects if the stream breaks before that. */
  get delivered(): Promise<void> {
    return this.#delivered.promise;
  }

  /** Resolves when the peer's window has accepted the bytes. Rejects when the stream is broken. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#end !== 'open') return Promise.reject(new Error('write after end'));
    if (bytes.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => this.#writes.push({ bytes, resolve, reject }));
  }

  end(): void {
    if (this.#end === 'open') this.#end = 'asked';
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#delivered.reject(this.#failure);
    for (const { reject } of this.#writes.splice(0)) reject(this.#failure);
  }

  /** Whether everything including the end has arrived. */
  get isDone(): boolean {
    return this.#end === 'sent' && this.#unacknowledged.length === 0;
  }

  /** Whether pieces are in flight. */
  get isWaiting(): boolean {
    return this.#unacknowledged.length > 0;
  }

  /** Whether bytes wait for the peer's window. */
  get isBlocked(): boolean {
    return this.#writes.length > 0 && this.#limit <= this.#offset;
  }

  /** The offset of the next bytes to send. */
  get offset(): number {
    return this.#offset;
  }

  /** Returns the piece to send now, lost pieces first. Undefined if there is none, or if the peer has no space. */
  take(): Piece | undefined {
    const lost = this.#again.shift();
    if (lost !== undefined) return lost;
    const piece = this.#writes.length > 0 ? this.#next() : this.#last();
    if (piece !== undefined) this.#unacknowledged.push(piece);
    return piece;
  }

  #next(): Piece | undefined {
    const [write] = this.#writes;
    const count = Math.min(MAX_DATA, this.#limit - this.#offset, write?.bytes.length ?? 0);
    if (write === undefined || count <= 0) return undefined;
    const piece = { offset: this.#offset, bytes: Uint8Array.from(write.bytes.subarray(0, count)), end: false };
    write.bytes = write.bytes.subarray(count);
    this.#offset += count;
    if (write.bytes.length === 0) {
      this.#writes.shift();
      write.resolve();
    }
    return piece;
  }

  /** Returns the end of the stream, which needs no space. */
  #last(): Piece | undefined {
    if (this.#end !== 'asked') return undefined;
    this.#end = 'sent';
    return { offset: this.#offset, bytes: new Uint8Array(), end: true };
  }

  /**
   * Handles an acknowledgement. Everything before `received` has arrived, and everything that ends at or before `limit` is accepted. At
   * most one window is in flight, even if the peer allows more.
   */
  acknowledge(received: number, limit: number): void {
    const isMissing = (piece: Piece): boolean => after(piece) > received;
    this.#unacknowledged = this.#unacknowledged.filter(isMissing);
    this.#again = this.#again.filter(isMissing);
    const first = this.#unacknowledged[0]?.offset ?? this.#offset;
    this.#limit = Math.max(this.#limit, Math.min(limit, first + WINDOW));
    if (this.isDone) this.#delivered.resolve();
  }

  /** Sends everything unacknowledged again. */
  repeat(): void {
    this.#again = [...this.#unacknowledged];
  }
}

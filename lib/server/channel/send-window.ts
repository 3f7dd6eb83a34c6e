import { MAX_DATA, WINDOW } from './frame.ts';

/** Bytes of a stream that are sent together. Its end counts as one byte more. */
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

/** The sending half of a stream: keeps what the other end has not acknowledged, and sends no more than it takes. */
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
    this.#delivered.promise.catch(() => undefined); // few wait for it, and writers get the fault
  }

  /** Resolves when everything, the end too, has arrived; rejects when the stream is broken before. */
  get delivered(): Promise<void> {
    return this.#delivered.promise;
  }

  /** Resolves when the other end's window has taken the bytes; rejects when the stream is broken. */
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

  /** Whether everything, the end too, has arrived. */
  get isDone(): boolean {
    return this.#end === 'sent' && this.#unacknowledged.length === 0;
  }

  /** Whether pieces are on the way. */
  get isWaiting(): boolean {
    return this.#unacknowledged.length > 0;
  }

  /** Whether bytes wait that the other end does not take. */
  get isBlocked(): boolean {
    return this.#writes.length > 0 && this.#limit <= this.#offset;
  }

  /** The offset of what is sent next. */
  get offset(): number {
    return this.#offset;
  }

  /** The piece to send now: lost ones first. Undefined if there is none, or no room at the other end. */
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

  /** The end needs no room. */
  #last(): Piece | undefined {
    if (this.#end !== 'asked') return undefined;
    this.#end = 'sent';
    return { offset: this.#offset, bytes: new Uint8Array(), end: true };
  }

  /**
   * Everything before `received` has arrived, and what ends at or before `limit` is taken: of that never more than a window is on the
   * way, whatever the other end says.
   */
  acknowledge(received: number, limit: number): void {
    const isMissing = (piece: Piece): boolean => after(piece) > received;
    this.#unacknowledged = this.#unacknowledged.filter(isMissing);
    this.#again = this.#again.filter(isMissing);
    const first = this.#unacknowledged[0]?.offset ?? this.#offset;
    this.#limit = Math.max(this.#limit, Math.min(limit, first + WINDOW));
    if (this.isDone) this.#delivered.resolve();
  }

  /** Sends everything again that is not acknowledged. */
  repeat(): void {
    this.#again = [...this.#unacknowledged];
  }
}

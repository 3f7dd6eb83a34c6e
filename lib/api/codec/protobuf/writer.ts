const INITIAL = 64 * 1024;
const MAX_KEPT = 1024 * 1024;

/** A buffer for the next writer to reuse. Undefined while a writer uses it. */
let scratch: Buffer | undefined;

/** Writes a message from its end to its beginning, so that each length is known when it is written. */
export class ReverseWriter {
  #buffer: Buffer;
  #start: number;

  constructor() {
    this.#buffer = scratch ?? Buffer.allocUnsafe(INITIAL);
    this.#start = this.#buffer.length;
    scratch = undefined;
  }

  /** The number of bytes written so far. Save it before a nested value and pass it to `close` for that value. */
  get size(): number {
    return this.#buffer.length - this.#start;
  }

  /** Returns the message in a buffer of exactly its size. Ends the writer. */
  finish(): Uint8Array {
    const message = Buffer.from(this.#buffer.subarray(this.#start));
    if (this.#buffer.length <= MAX_KEPT) scratch = this.#buffer;
    return message;
  }

  /** Ends a length-delimited field that began when `size` was `from`. */
  close(from: number, number: number): void {
    this.varint(this.size - from);
    this.tag(number, 2);
  }

  tag(number: number, wireType: number): void {
    this.varint((number << 3) | wireType);
  }

  /** Writes a non-negative number below 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#buffer[--this.#start] = value;
    } else this.#longVarint(value);
  }

  /** Writes an int64 in two's complement. */
  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) this.varint(value);
    else this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  /** Writes only the text. `close` writes its length. */
  string(text: string): void {
    if (text.length <= SHORT && this.#ascii(text)) return;
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#start -= length;
    this.#buffer.write(text, this.#start, length, 'utf8');
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#start -= value.length;
    this.#buffer.set(value, this.#start);
  }

  /** Writes short ASCII text, faster than a call into the runtime. Returns false and writes nothing if the text is not ASCII. */
  #ascii(text: string): boolean {
    this.#reserve(text.length);
    let at = this.#start;
    for (let i = text.length - 1; i >= 0; i--) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return false;
      this.#buffer[--at] = code;
    }
    this.#start = at;
    return true;
  }

  #longVarint(value: number): void {
    const groups: number[] = [];
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) groups.push((rest % 0x80) | 0x80);
    this.#reserve(groups.length + 1);
    this.#buffer[--this.#start] = rest;
    for (let i = groups.length - 1; i >= 0; i--) this.#buffer[--this.#start] = groups[i] as number;
  }

  #bigVarint(value: bigint): void {
    const groups: number[] = [];
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    this.#reserve(groups.length + 1);
    this.#buffer[--this.#start] = Number(rest);
    for (let i = groups.length - 1; i >= 0; i--) this.#buffer[--this.#start] = groups[i] as number;
  }

  #reserve(count: number): void {
    if (this.#start >= count) return;
    const { size } = this;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, size + count));
    this.#buffer.copy(grown, grown.length - size, this.#start);
    this.#buffer = grown;
    this.#start = grown.length - size;
  }
}

const SHORT = 24;

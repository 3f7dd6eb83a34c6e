import { DecodeError } from '../error.ts';

const TWO_32 = 2 ** 32;

/** A cursor over untrusted bytes. Errors have the texts of upstream's generated code. */
export class Reader {
  readonly #bytes: Buffer;
  at: number;
  end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.end = bytes.length;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  /** The low 32 bits of a varint, unsigned. */
  uint32(): number {
    const byte = this.#bytes[this.at] as number;
    if (this.at < this.end && byte < 0x80) {
      this.at++;
      return byte;
    }
    this.#varint();
    return this.#low;
  }

  /** A varint as int64. */
  int64(): number | bigint {
    this.#varint();
    if (this.#high === 0) return this.#low;
    const exact = BigInt.asIntN(64, (BigInt(this.#high) << 32n) | BigInt(this.#low));
    const number = Number(exact);
    return Number.isSafeInteger(number) ? number : exact;
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  double(): number {
    if (this.at + 8 > this.end) throw unexpectedEnd();
    const value = this.#bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** A field's number and wire type. `message` is the name for errors. */
  tag(message: string): number {
    const tag = this.uint32();
    if ((tag & 7) === 4) throw new DecodeError(`proto: ${message}: wiretype end group for non-group`);
    if (tag >> 3 <= 0) throw new DecodeError(`proto: ${message}: illegal tag ${tag >> 3} (wire type ${tag})`);
    return tag;
  }

  /** Reads a length and narrows the cursor to it. Pass the result to `leave`. */
  enter(): number {
    this.#varint();
    const length = this.#high * TWO_32 + this.#low;
    if (this.#high >= TWO_32 / 2) throw new DecodeError('proto: negative length found during unmarshaling');
    if (length > this.end - this.at) throw unexpectedEnd();
    const outer = this.end;
    this.end = this.at + length;
    return outer;
  }

  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  string(): string {
    const outer = this.enter();
    const text = this.#bytes.toString('utf8', this.at, this.end);
    this.leave(outer);
    return text;
  }

  /** Reads bytes as a view, not a copy. */
  bytes(): Buffer {
    const outer = this.enter();
    const value = this.#bytes.subarray(this.at, this.end);
    this.leave(outer);
    return value;
  }

  skip(wireType: number): void {
    for (let depth = 0, type = wireType; ; type = this.uint32() & 7) {
      if (type === 3) depth++;
      else if (type === 4 && --depth < 0) throw new DecodeError('proto: unexpected end of group');
      else this.#skipValue(type);
      if (depth === 0) return;
      if (this.done) throw unexpectedEnd();
    }
  }

  #skipValue(type: number): void {
    if (type === 0) this.#varint();
    else if (type === 1 || type === 5) this.#advance(type === 1 ? 8 : 4);
    else if (type === 2) this.leave(this.enter());
    else if (type > 4) throw new DecodeError(`proto: illegal wireType ${type}`);
  }

  #advance(count: number): void {
    if (this.end - this.at < count) throw unexpectedEnd();
    this.at += count;
  }

  #low = 0;
  #high = 0;

  /** Reads at most ten bytes. Drops bits beyond 64, like Go's shifts. */
  #varint(): void {
    this.#low = 0;
    this.#high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new DecodeError('proto: integer overflow');
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = this.#bytes[this.at++] as number;
      this.#add(byte & 0x7f, shift);
      if (byte < 0x80) return;
    }
  }

  #add(bits: number, shift: number): void {
    if (shift < 28) this.#low |= bits << shift;
    else if (shift === 28) {
      this.#low |= bits << 28;
      this.#high = bits >>> 4;
    } else this.#high |= bits << (shift - 32);
    this.#low >>>= 0;
    this.#high >>>= 0;
  }
}

const unexpectedEnd = (): DecodeError => new DecodeError('unexpected EOF');

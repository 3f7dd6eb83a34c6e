/** The index of `:authority` in HPACK's static table. */
const AUTHORITY = 1;

const SLASH = 0x2f;
const DOT = 0x2e;

/**
 * The number of codes for each length in bits, starting at 0, in HPACK's Huffman code (RFC 7541, appendix B). The code is canonical, so
 * these counts are sufficient to decode it.
 */
const CODES = [0, 0, 0, 0, 0, 10, 26, 32, 6, 0, 5, 3, 2, 6, 2, 3, 0, 0, 0, 3, 8, 13, 26, 29, 12, 4, 15, 19, 29, 0, 4];
const SLASH_CODE = { bits: 6, code: 0b011000 };

/**
 * Replaces each `/` with `.` in the literal values of `:authority` in an HPACK block. The length of the block stays the same. A truncated
 * or invalid block is unchanged from that point on.
 */
export function replaceSlashes(block: Buffer): void {
  const reader = new BlockReader(block);
  while (!reader.done) {
    const first = block[reader.at] ?? 0;
    if ((first & 0x80) !== 0) reader.integer(7);
    else if ((first & 0xe0) === 0x20) reader.integer(5);
    else {
      const name = reader.integer((first & 0x40) !== 0 ? 6 : 4);
      if (name === 0) reader.text();
      const { huffman, bytes } = reader.text();
      if (name === AUTHORITY) (huffman ? replaceCoded : replacePlain)(bytes);
    }
  }
}

/** Reads the entries of an HPACK block. A read beyond the end of the block marks it as done. */
class BlockReader {
  at = 0;
  readonly #block: Buffer;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get done(): boolean {
    return this.at >= this.#block.length;
  }

  /** Reads an integer with a prefix of this many bits. */
  integer(prefix: number): number {
    const mask = 2 ** prefix - 1;
    let value = (this.#block[this.at++] ?? 0) & mask;
    if (value < mask) return value;
    for (let weight = 1; weight < 2 ** 28; weight *= 128) {
      const byte = this.#block[this.at++] ?? 0;
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) return value;
    }
    this.at = this.#block.length;
    return 0;
  }

  text(): { readonly huffman: boolean; readonly bytes: Buffer } {
    const huffman = ((this.#block[this.at] ?? 0) & 0x80) !== 0;
    const start = this.integer(7) + this.at;
    const bytes = this.#block.subarray(this.at, start);
    this.at = start;
    return { huffman, bytes };
  }
}

function replacePlain(bytes: Buffer): void {
  for (let at = bytes.indexOf(SLASH); at !== -1; at = bytes.indexOf(SLASH, at)) bytes[at] = DOT;
}

function replaceCoded(bytes: Buffer): void {
  let [code, first, length] = [0, 0, 0];
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    code = (code << 1) | (((bytes[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1);
    first <<= 1;
    length++;
    const count = CODES[length];
    if (count === undefined) return;
    if (code - first < count) {
      if (length === SLASH_CODE.bits && code === SLASH_CODE.code) dotAt(bytes, bit);
      [code, first, length] = [0, 0, 0];
    } else first += count;
  }
}

/** Changes the slash that ends at this bit (011000) to a dot (010111), by changing its last four bits. */
function dotAt(bytes: Buffer, last: number): void {
  for (let bit = last - 3; bit <= last; bit++) {
    const at = bit >>> 3;
    bytes[at] = (bytes[at] ?? 0) ^ (0x80 >>> (bit & 7));
  }
}

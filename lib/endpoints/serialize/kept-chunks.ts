import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Bytes that are kept as they are; and compressed, of what follows. */
const PLAIN = 16 * 1024 * 1024;
const PACKED = 32 * 1024 * 1024;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Chunks that are kept until they can be sent; none where they take too much memory. */
export class KeptChunks {
  readonly #plain: Uint8Array[] = [];
  readonly #packed: Uint8Array[] = [];
  #plainBytes = 0;
  #packedBytes = 0;

  /** Whether all chunks are here. */
  get isWhole(): boolean {
    return this.#packedBytes <= PACKED;
  }

  add(chunk: Uint8Array): void {
    if (!this.isWhole) return;
    if (this.#packed.length === 0 && this.#plainBytes + chunk.length <= PLAIN) {
      this.#plainBytes += chunk.length;
      this.#plain.push(chunk);
      return;
    }
    const packed = zstdCompressSync(chunk, LEVEL);
    this.#packedBytes += packed.length;
    this.#packed.push(packed);
    if (!this.isWhole) this.#plain.length = this.#packed.length = 0;
  }

  /** The chunks in their order. */
  *[Symbol.iterator](): Generator<Uint8Array, void> {
    yield* this.#plain;
    for (const packed of this.#packed) yield zstdDecompressSync(packed);
  }
}

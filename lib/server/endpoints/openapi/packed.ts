import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Compressed bytes. Documents are repetitive and shrink to about a tenth. */
export class Packed {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array | string) {
    // zlib's result keeps a larger buffer alive. A copy does not.
    this.#bytes = new Uint8Array(deflateRawSync(bytes, { level: 1 }));
  }

  unpacked(): Uint8Array {
    return inflateRawSync(this.#bytes);
  }
}

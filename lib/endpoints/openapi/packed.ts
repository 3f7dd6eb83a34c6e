import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Compressed bytes: documents repeat themselves, and a tenth of each is worth keeping. */
export class Packed {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array | string) {
    // What zlib answers keeps a larger block alive: only a copy is as small as it says.
    this.#bytes = new Uint8Array(deflateRawSync(bytes, { level: 1 }));
  }

  unpacked(): Uint8Array {
    return inflateRawSync(this.#bytes);
  }
}

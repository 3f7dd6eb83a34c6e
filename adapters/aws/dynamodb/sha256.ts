import { createHash, createHmac, createSecretKey, type Hash } from 'node:crypto';

type Digest = Hash | ReturnType<typeof createHmac>;
type Data = string | ArrayBuffer | ArrayBufferView;

/**
 * The hash function with which the SDK signs, or an HMAC if it has a secret. node creates an HMAC from a key object in a fifth of the time
 * that it takes from bytes.
 */
export class Sha256 {
  readonly #secret: Data | undefined;
  #hash: Digest;

  constructor(secret?: Data) {
    this.#secret = secret;
    this.#hash = begun(secret);
  }

  update(data: Data): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = begun(this.#secret);
  }
}

const begun = (secret: Data | undefined): Digest =>
  secret === undefined ? createHash('sha256') : createHmac('sha256', createSecretKey(bytesOf(secret)));

function bytesOf(data: Data): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

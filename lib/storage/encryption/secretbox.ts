import { randomBytes, timingSafeEqual } from 'node:crypto';
import { xsalsa20 } from './salsa20.ts';
import { undecryptable, type Transformer } from './transformer.ts';

const NONCE = 24;
const TAG = 16;
const KEY = 32;

/** NaCl's secretbox, which node:crypto has not: a nonce, a tag, the ciphertext. Not bound to the key that it is stored under. */
export function secretbox(secret: Uint8Array): Transformer {
  return {
    toStorage: async (data) => {
      const nonce = randomBytes(NONCE);
      return Buffer.concat([nonce, seal(data, secret, nonce)]);
    },
    async fromStorage(data) {
      if (data.length < NONCE + TAG) throw undecryptable('the stored data was shorter than the required size');
      const opened = open(data.subarray(NONCE), secret, data.subarray(0, NONCE));
      if (opened === undefined) throw undecryptable('output array was not large enough for encryption');
      return { data: opened, stale: false };
    },
  };
}

/** Tag and ciphertext, for a nonce of 24 bytes that is never used again. */
export function seal(data: Uint8Array, secret: Uint8Array, nonce: Uint8Array): Uint8Array {
  const stream = xsalsa20(Buffer.concat([Buffer.alloc(KEY), data]), secret, nonce);
  const sealed = stream.subarray(KEY);
  return Buffer.concat([poly1305(sealed, stream.subarray(0, KEY)), sealed]);
}

function open(sealed: Uint8Array, secret: Uint8Array, nonce: Uint8Array): Uint8Array | undefined {
  const stream = xsalsa20(Buffer.concat([Buffer.alloc(KEY), sealed.subarray(TAG)]), secret, nonce);
  const tag = poly1305(sealed.subarray(TAG), stream.subarray(0, KEY));
  return timingSafeEqual(tag, sealed.subarray(0, TAG)) ? stream.subarray(KEY) : undefined;
}

const PRIME = (1n << 130n) - 5n;
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

function poly1305(data: Uint8Array, key: Uint8Array): Buffer {
  const r = number(key.subarray(0, 16)) & CLAMP;
  let sum = 0n;
  for (let at = 0; at < data.length; at += 16) {
    const block = data.subarray(at, at + 16);
    sum = ((sum + number(block) + (1n << BigInt(8 * block.length))) * r) % PRIME;
  }
  const tag = (sum + number(key.subarray(16))) & ((1n << 128n) - 1n);
  return Buffer.from(tag.toString(16).padStart(32, '0'), 'hex').reverse();
}

/** Little-endian. */
const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

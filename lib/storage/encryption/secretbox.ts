import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { type Transformer, undecryptable } from './transformer.ts';

const NONCE = 24;
const TAG = 16;

/**
 * NaCl's secretbox, which node:crypto lacks: nonce, tag and ciphertext. `secret` has 32 bytes. The ciphertext is not bound to the storage
 * key.
 */
export function secretbox(secret: Uint8Array): Transformer {
  return {
    async toStorage(data) {
      const nonce = randomBytes(NONCE);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(data)]);
    },
    async fromStorage(data) {
      if (data.length < NONCE + TAG) throw undecryptable('the stored data was shorter than the required size');
      const cipher = xsalsa20poly1305(secret, data.subarray(0, NONCE));
      try {
        return { data: cipher.decrypt(data.subarray(NONCE)), stale: false };
      } catch (error) {
        throw undecryptable('output array was not large enough for encryption', error);
      }
    },
  };
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Transformer, undecryptable } from './transformer.ts';

const NONCE = 12;
const TAG = 16;
const BLOCK = 16;

const tooShort = () => undecryptable('the stored data was shorter than the required size');

/**
 * Stores nonce, ciphertext and tag. The storage key is authenticated too, so one object's secret cannot replace another's. The nonce is
 * random, so a key must be replaced before 2^32 writes.
 */
export function aesGcm(secret: Uint8Array): Transformer {
  const algorithm = `aes-${secret.length * 8}-gcm` as 'aes-256-gcm';
  return {
    async toStorage(data, key) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(key));
      return Buffer.concat([nonce, cipher.update(data), cipher.final(), cipher.getAuthTag()]);
    },
    async fromStorage(data, key) {
      if (data.length < NONCE + TAG) throw tooShort();
      const decipher = createDecipheriv(algorithm, secret, data.subarray(0, NONCE), { authTagLength: TAG })
        .setAAD(Buffer.from(key))
        .setAuthTag(data.subarray(-TAG));
      const head = decipher.update(data.subarray(NONCE, -TAG));
      return { data: Buffer.concat([head, finish(decipher, 'cipher: message authentication failed')]), stale: false };
    },
  };
}

/** Stores initialization vector and padded ciphertext, without authentication. This is upstream's format and exists only for old data. */
export function aesCbc(secret: Uint8Array): Transformer {
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return {
    async toStorage(data) {
      const vector = randomBytes(BLOCK);
      const cipher = createCipheriv(algorithm, secret, vector);
      return Buffer.concat([vector, cipher.update(data), cipher.final()]);
    },
    async fromStorage(data) {
      if (data.length < 2 * BLOCK) throw tooShort();
      if (data.length % BLOCK !== 0) throw undecryptable('the stored data is not a multiple of the block size');
      const decipher = createDecipheriv(algorithm, secret, data.subarray(0, BLOCK));
      const head = decipher.update(data.subarray(BLOCK));
      return { data: Buffer.concat([head, finish(decipher, 'invalid padding on input')]), stale: false };
    },
  };
}

function finish(decipher: { final(): Buffer }, message: string): Buffer {
  try {
    return decipher.final();
  } catch (error) {
    throw undecryptable(message, error);
  }
}

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../limits.ts';
import type { Version } from '../sequence.ts';
import { stamp, stampedVersion } from '../stamp.ts';
import { beginsWith, ENCRYPTED, type Transformer, undecryptable } from './transformer.ts';

/**
 * An encrypted body is the version field, which a sequence stamps, followed by the transformer's output. No JSON body can be mistaken for
 * it, and every backend stores it like any other body. The version inside the ciphertext is ignored.
 */
const HEADER = '{"resourceVersion":"';
const END = Buffer.from(`"}${ENCRYPTED}`);
/** The maximum length of a stamped header. */
const LONGEST = HEADER.length + 16 + END.length;

/** Encrypts a body to be stored under `key`. */
export async function sealBody(transformer: Transformer, body: Uint8Array, key: string): Promise<Uint8Array> {
  const stored = await transformer.toStorage(body, key);
  return beginsWith(stored, ENCRYPTED)
    ? Buffer.concat([Buffer.from(`${HEADER}${stampedVersion(body)}"}`), stored])
    : stored;
}

/** A decrypted body. `stale` comes from `Transformer.fromStorage`. */
export interface OpenedBody {
  readonly body: Uint8Array;
  readonly stale: boolean;
}

/** Decrypts a body stored under `key`. Throws StoreError Undecryptable. */
export async function openBody(transformer: Transformer, stored: Uint8Array, key: string): Promise<OpenedBody> {
  const at = sealedAt(stored);
  const { data, stale } = await transformer.fromStorage(at < 0 ? stored : stored.subarray(at), key);
  return { body: at < 0 ? data : stamped(data, stampedVersion(stored)), stale };
}

/** Checks for the version field, because an unauthenticated cipher may return anything for a wrong key. */
function stamped(data: Uint8Array, version: Version): Uint8Array {
  try {
    return stamp(data, version);
  } catch (error) {
    throw undecryptable(NO_OBJECT, error);
  }
}

/** The offset of the transformer's bytes; -1 if the body is not encrypted. */
export function sealedAt(stored: Uint8Array): number {
  if (!beginsWith(stored, HEADER)) return -1;
  const head = Buffer.from(stored.buffer, stored.byteOffset, Math.min(stored.length, LONGEST));
  const at = head.indexOf(END);
  return at < 0 ? -1 : at + 2;
}

const NO_OBJECT = 'the decrypted data is no object';
const OPEN_BRACE = 0x7b;
const SMALL = 512;

/** Compresses before encrypting, because ciphertext does not compress. */
export function compressingTransformer(inner: Transformer): Transformer {
  return {
    toStorage: (data, key) => inner.toStorage(data.length < SMALL ? data : compressed(data), key),
    async fromStorage(data, key) {
      const read = await inner.fromStorage(data, key);
      return { data: read.data[0] === OPEN_BRACE ? read.data : decompressed(read.data), stale: read.stale };
    },
  };
}

const compressed = (data: Uint8Array): Uint8Array =>
  zstdCompressSync(data, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });

function decompressed(data: Uint8Array): Uint8Array {
  try {
    return zstdDecompressSync(data, { maxOutputLength: 2 * MAX_BODY_BYTES });
  } catch (error) {
    throw undecryptable(NO_OBJECT, error);
  }
}

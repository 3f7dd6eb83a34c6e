import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../limits.ts';
import type { Version } from '../sequence.ts';
import { stamp, stampedVersion } from '../stamp.ts';
import { beginsWith, ENCRYPTED, type Transformer, undecryptable } from './transformer.ts';

/**
 * An encrypted body is the one field that a sequence stamps, then what the transformer made: no JSON continues so, and
 * every backend stores it as it stores any body. The version within the ciphertext counts for nothing.
 */
const HEADER = '{"resourceVersion":"';
const END = Buffer.from(`"}${ENCRYPTED}`);
/** A stamped header is not longer. */
const LONGEST = HEADER.length + 16 + END.length;

/** The body as it is to be stored under `key`. */
export async function sealBody(transformer: Transformer, body: Uint8Array, key: string): Promise<Uint8Array> {
  const stored = await transformer.toStorage(body, key);
  return beginsWith(stored, ENCRYPTED)
    ? Buffer.concat([Buffer.from(`${HEADER}${stampedVersion(body)}"}`), stored])
    : stored;
}

/** A decrypted body; `stale` as of `Transformer.fromStorage`. */
export interface OpenedBody {
  readonly body: Uint8Array;
  readonly stale: boolean;
}

/** The body that was stored under `key`. Throws StoreError Undecryptable. */
export async function openBody(transformer: Transformer, stored: Uint8Array, key: string): Promise<OpenedBody> {
  const at = sealedAt(stored);
  const { data, stale } = await transformer.fromStorage(at < 0 ? stored : stored.subarray(at), key);
  return { body: at < 0 ? data : stamped(data, stampedVersion(stored)), stale };
}

/** A cipher without authentication may make anything of a wrong key's data. */
function stamped(data: Uint8Array, version: Version): Uint8Array {
  try {
    return stamp(data, version);
  } catch (error) {
    throw undecryptable(NO_OBJECT, error);
  }
}

/** Where the transformer's bytes begin; -1 of what is not encrypted. */
export function sealedAt(stored: Uint8Array): number {
  if (!beginsWith(stored, HEADER)) return -1;
  const head = Buffer.from(stored.buffer, stored.byteOffset, Math.min(stored.length, LONGEST));
  const at = head.indexOf(END);
  return at < 0 ? -1 : at + 2;
}

const NO_OBJECT = 'the decrypted data is no object';
const OPEN_BRACE = 0x7b;
const SMALL = 512;

/** Compresses before it encrypts: ciphertext is compressed by nobody. */
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

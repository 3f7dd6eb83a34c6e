import { constants, deflateSync, inflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { StoreError } from '#lib/storage/errors.ts';

const PLAIN = 0;
const ZSTD = 1;
const ZLIB = 2;
/** Below this, zlib costs a third of zstd's time, most of which goes into making a context. */
const SMALL = 4096;
/** 64 changes of the largest body with their previous ones, and something for their labels. */
const MAX_UNPACKED = 256 * 1024 * 1024;
const OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Bytes that a buffer may be larger than what it is kept for. */
const SLACK = 64;

/** Compressed where that helps; the first byte says which. */
export function pack(bytes: Uint8Array): Uint8Array {
  const isSmall = bytes.length < SMALL;
  const compressed = isSmall ? deflateSync(bytes) : zstdCompressSync(bytes, OPTIONS);
  const smaller = compressed.length < bytes.length;
  const content = smaller ? compressed : bytes;
  const out = new Uint8Array(content.length + 1);
  out[0] = smaller ? (isSmall ? ZLIB : ZSTD) : PLAIN;
  out.set(content, 1);
  return out;
}

/** The bytes that were packed; Corrupt where they cannot be. */
export function unpack(packed: Uint8Array): Uint8Array {
  const content = packed.subarray(1);
  if (packed[0] === PLAIN) return exact(content);
  if (packed[0] !== ZSTD && packed[0] !== ZLIB)
    throw new StoreError('Corrupt', 'packed bytes begin with an unknown mark');
  try {
    if (packed[0] === ZLIB) return exact(inflateSync(content, { maxOutputLength: SMALL }));
    return exact(zstdDecompressSync(content, { maxOutputLength: MAX_UNPACKED }));
  } catch (error) {
    throw new StoreError('Corrupt', 'packed bytes do not decompress', { cause: error });
  }
}

/** The bytes without the rest of a larger buffer, which they would keep in memory: zlib's buffers are of 16 KB. */
const exact = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength > bytes.length + SLACK ? new Uint8Array(bytes) : bytes;

import { constants, deflateSync, inflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { StoreError } from '#lib/storage/errors.ts';

const PLAIN = 0;
const ZSTD = 1;
const ZLIB = 2;
/** Below this size zlib is used. It takes a third of zstd's time, because zstd spends most of its time on creating a context. */
const SMALL = 4096;
/** Maximum size of unpacked content: 64 changes with the largest body and previous body, plus some room for metadata. */
const MAX_UNPACKED = 256 * 1024 * 1024;
const OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Maximum number of unused bytes in a buffer that a result may keep in memory. */
const SLACK = 64;

/** Compresses the bytes if that makes them smaller. The first byte is the format. */
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

/** Returns the unpacked bytes. Throws Corrupt if they cannot be unpacked. */
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

/** Returns a copy if the bytes would otherwise keep a larger buffer in memory. zlib's buffers have 16 KB. */
const exact = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength > bytes.length + SLACK ? new Uint8Array(bytes) : bytes;

import { constants, createGzip, type DeflateRaw, type Gunzip, type Gzip, gzip, type InflateRaw } from 'node:zlib';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from './api.ts';

/** Upstream compresses bodies above this size in bytes. */
const COMPRESS_ABOVE = 128 * 1024;
const LEVEL = { level: constants.Z_BEST_SPEED };
const COMPRESSED = { 'content-encoding': 'gzip', vary: 'Accept-Encoding' };

/**
 * Whether the client accepts gzip. Like upstream's negotiateContentEncoding, it checks for the bare name and ignores weights (`gzip;q=0`).
 */
export const acceptsGzip = ({ headers }: Pick<ApiRequest, 'headers'>): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some((coding) => coding.trim() === 'gzip');

/** Compresses the response for a client that accepts gzip: bodies above 128 KiB and large documents, never event streams. */
export async function compressResponse(response: ApiResponse): Promise<ApiResponse> {
  const { body, ends, headers } = response;
  const packed = { ...response, headers: { ...headers, ...COMPRESSED } };
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return ends === true ? { ...packed, body: gzipped(body) } : response;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes.length > COMPRESS_ABOVE ? { ...packed, body: await zip(bytes) } : response;
}

/** Compresses a large document like `compressResponse`. */
export const gzipped = (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  through(createGzip(LEVEL), body);

/** Returns the maximum compressed size of a number of bytes. zlib stores incompressible data in blocks with headers. */
export const gzippedAtMost = (bytes: number): number => bytes + Math.ceil(bytes / 2048) + 64;

function zip(bytes: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  gzip(bytes, LEVEL, (error, result) => (error === null ? resolve(result) : reject(error)));
  return promise;
}

type Codec = Gzip | Gunzip | DeflateRaw | InflateRaw;

/** Passes `body` through the codec. The stream ends when `body` ends or fails. Throws if the codec rejects the bytes. */
export async function* through(stream: Codec, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const fed = feed(stream, body);
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } finally {
    stream.destroy();
    await fed;
  }
}

/** Never rejects: the reader receives the errors of `body`. */
async function feed(stream: Codec, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (!stream.write(chunk)) await drained(stream);
      if (stream.destroyed) return;
    }
    stream.end();
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function drained(stream: Codec): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('drain', resolve).once('close', resolve);
  return promise.finally(() => stream.off('drain', resolve).off('close', resolve));
}

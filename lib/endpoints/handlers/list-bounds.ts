import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '../api.ts';
import { acceptsGzip } from '../gzip.ts';
import type { Chunks } from '../serialize/chunks.ts';

/** Limits of lists at a front door. An absent one does not limit. */
export interface ListBounds {
  /** Bytes of an answer, at most: the hop on the way breaks off a longer one. */
  readonly maxBytes?: number;
}

/** The bytes that a list may have at most before it is compressed; nobody knows them for a client that accepts gzip. */
export const bytesAllowed = ({ maxBytes }: ListBounds, request: Pick<ApiRequest, 'headers'>): number =>
  maxBytes === undefined || acceptsGzip(request) ? Number.POSITIVE_INFINITY : maxBytes;

/** The 413 of a list that is too long to be sent. */
export const listTooLong = (allowed: number): StatusError =>
  requestEntityTooLarge(`limit is ${allowed} bytes in one answer: list in smaller pages by "limit", or accept gzip`);

/** Chunks of at most so many bytes. Throws 413 instead of a chunk that is too many: nobody takes the answer for whole. */
export async function* within(chunks: Chunks, allowed: number): Chunks {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > allowed) throw listTooLong(allowed);
    yield chunk;
  }
}

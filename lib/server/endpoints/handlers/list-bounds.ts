import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { acceptsGzip } from '../gzip.ts';
import type { Chunks } from '../serialize/chunks.ts';

/** Limits of lists at a front door. An absent field means no limit. */
export interface ListBounds {
  /** The maximum size in bytes of a response. An intermediary truncates a longer one. */
  readonly maxBytes?: number;
}

/** The maximum size of the response to a request. */
export interface Allowance {
  /** The size in bytes as sent. */
  readonly bytes: number;
  /** Whether the response is compressed before it is sent. */
  readonly isGzipped: boolean;
}

/** Returns the allowance of a request. Undefined if the front door has no limit. */
export const allowanceOf = (
  { maxBytes: bytes }: ListBounds,
  request: Pick<ApiRequest, 'headers'>,
): Allowance | undefined => (bytes === undefined ? undefined : { bytes, isGzipped: acceptsGzip(request) });

/** Returns the 413 for a list that is too long to be sent. */
export const listTooLong = ({ bytes, isGzipped }: Allowance): StatusError => {
  const advice = isGzipped ? '' : ', or accept gzip';
  return requestEntityTooLarge(`limit is ${bytes} bytes in one answer: list in smaller pages by "limit"${advice}`);
};

/**
 * Yields chunks up to the allowance. Throws 413 instead of yielding the chunk that exceeds it, so that no client mistakes a truncated
 * response for a complete one.
 */
export async function* within(chunks: AsyncIterable<Uint8Array>, allowance: Allowance): Chunks {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > allowance.bytes) throw listTooLong(allowance);
    yield chunk;
  }
}

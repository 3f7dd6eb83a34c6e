import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '../api.ts';
import { acceptsGzip } from '../gzip.ts';
import type { Chunks } from '../serialize/chunks.ts';

/** Limits of lists at a front door. An absent one does not limit. */
export interface ListBounds {
  /** Bytes of an answer, at most: the hop on the way breaks off a longer one. */
  readonly maxBytes?: number;
}

/** How long the answer to a request may be. */
export interface Allowance {
  /** Bytes, as they are sent. */
  readonly bytes: number;
  /** The answer is compressed before it is sent. */
  readonly isGzipped: boolean;
}

/** The allowance of a request; undefined where the front door has no limit. */
export const allowanceOf = (
  { maxBytes: bytes }: ListBounds,
  request: Pick<ApiRequest, 'headers'>,
): Allowance | undefined => (bytes === undefined ? undefined : { bytes, isGzipped: acceptsGzip(request) });

/** The 413 of a list that is too long to be sent. */
export const listTooLong = ({ bytes, isGzipped }: Allowance): StatusError => {
  const advice = isGzipped ? '' : ', or accept gzip';
  return requestEntityTooLarge(`limit is ${bytes} bytes in one answer: list in smaller pages by "limit"${advice}`);
};

/**
 * The chunks of what is sent, which have no more bytes than allowed. Throws 413 instead of a chunk that is too many: nobody takes the
 * answer for whole.
 */
export async function* within(chunks: AsyncIterable<Uint8Array>, allowance: Allowance): Chunks {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > allowance.bytes) throw listTooLong(allowance);
    yield chunk;
  }
}

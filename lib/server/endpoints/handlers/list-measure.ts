import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { ObjectStream } from '#lib/storage/storage.ts';
import { gzipped, gzippedAtMost } from '../gzip.ts';
import type { Negotiation } from '../negotiate.ts';
import { begun, type Chunks, drain } from '../serialize/chunks.ts';
import { type Allowance, within } from './list-bounds.ts';

/** Bytes of an answer that are held back: most lists end before, and nobody is asked for their size. */
const HELD = 4 * 1024 * 1024;
/** Bytes of an answer that are not compressed to be counted. */
const PLAIN = 16 * 1024 * 1024;

/** Bytes of a list that stand around its objects, at most, and around each. */
const FRAME = 64 * 1024;
const AROUND = 128;

/** An answer that can be made once more. */
export interface Repeatable {
  /** At most so many bytes, before they are compressed. Undefined where only the answer itself tells. */
  most(): Promise<number | undefined>;
  /** The same chunks. */
  again(): Promise<Chunks>;
}

/**
 * The chunks of an answer that is not longer than allowed. Throws 413 before the first one where it is: a long answer that is not
 * known to be short enough is made once only to be counted.
 */
export async function* fitting(chunks: Chunks, allowance: Allowance, { most, again }: Repeatable): Chunks {
  try {
    const { isWhole, all } = await begun(chunks, Math.min(HELD, allowance.bytes));
    if (!isWhole && !fits(await most(), allowance)) await measure(await again(), allowance);
    yield* allowance.isGzipped ? all : within(all, allowance);
  } finally {
    await chunks.return();
  }
}

function fits(most: number | undefined, { bytes, isGzipped }: Allowance): boolean {
  return most !== undefined && (isGzipped ? gzippedAtMost(most) : most) <= bytes;
}

/** Counts the bytes of an answer as they would be sent. Throws 413 as soon as they are too many. */
export async function measure(chunks: Chunks, allowance: Allowance): Promise<void> {
  if (!allowance.isGzipped) return drain(within(chunks, allowance));
  const { isWhole, all } = await begun(chunks, Math.min(PLAIN, allowance.bytes));
  if (!isWhole) await drain(within(gzipped(all), allowance));
}

/**
 * The bytes at most of a list in a form of JSON, once its size is asked for. Undefined where nobody knows its size, and of a form in which an
 * object may take more bytes than it has in the store: cells of a table may repeat it, and an indent is as long as the object is deep.
 */
export async function mostBytes(
  { scheme }: ResourceDefinition,
  { as, pretty }: Negotiation,
  size: ObjectStream['size'],
): Promise<number | undefined> {
  if (pretty || as?.kind === 'Table' || !scheme.storedAsServed) return undefined;
  const known = await size?.();
  return known && known.bytes + known.objects * AROUND + FRAME;
}

import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { ObjectStream } from '#lib/storage/storage.ts';
import { gzipped, gzippedAtMost } from '../gzip.ts';
import type { Negotiation } from '../negotiate.ts';
import { begun, type Chunks, drain } from '../serialize/chunks.ts';
import { type Allowance, within } from './list-bounds.ts';

/** The number of bytes of a response that are buffered before sending. Most lists are shorter, so their size is never queried. */
const HELD = 4 * 1024 * 1024;
/** The maximum size in bytes of a response whose length is checked without compressing it. */
const PLAIN = 16 * 1024 * 1024;

/** The maximum size in bytes that a list adds around all its objects, and around each object. */
const FRAME = 64 * 1024;
const AROUND = 128;

/** A response that can be produced again. */
export interface Repeatable {
  /** Resolves with an upper bound of the size in bytes before compression. Undefined if the size is known only after encoding. */
  most(): Promise<number | undefined>;
  /** Returns the same chunks again. */
  again(): Promise<Chunks>;
}

/**
 * Yields the chunks of a response within the allowance. Throws 413 before the first chunk if the response is too long. A long response
 * without a sufficient upper bound is produced once just to count its bytes.
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

/** Counts the bytes of a response as sent. Throws 413 as soon as they exceed the allowance. */
export async function measure(chunks: Chunks, allowance: Allowance): Promise<void> {
  if (!allowance.isGzipped) return drain(within(chunks, allowance));
  const { isWhole, all } = await begun(chunks, Math.min(PLAIN, allowance.bytes));
  if (!isWhole) await drain(within(gzipped(all), allowance));
}

/**
 * Resolves with the maximum size in bytes of a list in a JSON form, given the stored size. Undefined if the size is unknown, or if an
 * object may take more bytes in the form than in the store. Table cells may repeat content, and indentation grows with the depth.
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

import { defined } from '#lib/machinery/defined.ts';
import { type OnDamage, readableOf } from '../damage.ts';
import { compareKeys } from '../keys.ts';
import type { Sequence, Snapshot, Version } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import { Item, type Summarize, sizeOf } from './item.ts';
import { LogOverlay } from './log-overlay.ts';
import { retryExpired } from './log-reader.ts';

const BATCH_COUNT = 501;
const BATCH_BYTES = 1024 * 1024;

/** A key range and the version at which to read it. */
export interface RangeAt {
  readonly sequence: Sequence;
  readonly summarize: Summarize;
  readonly prefix: string;
  readonly afterKey?: string;
  readonly version: Version;
  /** A hint: the caller drops objects with another value in the field. */
  readonly where?: { readonly field: string; readonly value: string };
  /** The number of objects that the caller expects to read. */
  readonly expected?: number;
  /** Called for each damaged object. If absent, the read throws the first damage. */
  readonly leaveOut?: OnDamage | undefined;
}

/**
 * Reads the objects of a range at a version, in key order and in constant memory: the snapshot, corrected by the log. Checkpointing
 * continues meanwhile, so the log is read again after each batch. The overlay then includes every change that was folded into the snapshot
 * before the batch was read. Throws Expired if the version is compacted. Throws the error of a damaged object unless it is left out.
 */
export async function* readAt(range: RangeAt): AsyncGenerator<StoredObject[], void> {
  const { entries, overlay } = await retryExpired(() => open(range));
  let done = range.afterKey;
  for await (const batch of batches(entries, range)) {
    await overlay.advance();
    const end = batch.at(-1)?.key;
    yield readableOf(await merge(batch, overlay, done, end), range.leaveOut);
    done = end;
  }
  await overlay.advance();
  yield readableOf(await merge([], overlay, done, undefined), range.leaveOut);
}

/** Opens a snapshot and reads the log after its watermark before a compaction can remove it. */
async function open({ sequence, prefix, afterKey: start, version, expected, where }: RangeAt) {
  const { from, entries } = await sequence.snapshot({ prefix, ...defined({ start, expected, where }) });
  const overlay = new LogOverlay(sequence, prefix, version, from);
  await overlay.advance();
  return { entries, overlay };
}

async function* batches(
  entries: Snapshot['entries'],
  { afterKey, summarize, expected = BATCH_COUNT }: RangeAt,
): AsyncGenerator<Item[], void> {
  const count = Math.min(expected, BATCH_COUNT);
  let batch: Item[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    const { key, version, body } = entry;
    if (key === afterKey) continue;
    const item = new Item(key, version, body, summarize, entry);
    batch.push(item);
    bytes += sizeOf(item);
    if (batch.length < count && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Merges the batch with the overlay's keys between `after` and `end`. The overlay takes precedence. */
async function merge(
  batch: readonly Item[],
  overlay: LogOverlay,
  after: string | undefined,
  end: string | undefined,
): Promise<StoredObject[]> {
  const merged: StoredObject[] = [];
  const corrected = overlay.keys(after, end);
  let next = 0;
  const correct = async (key: string): Promise<void> => {
    next++;
    const object = await overlay.read(key);
    if (object !== undefined) merged.push(object);
  };
  for (const item of batch) {
    for (let key = corrected[next]; key !== undefined && compareKeys(key, item.key) < 0; key = corrected[next]) {
      await correct(key);
    }
    if (corrected[next] === item.key) await correct(item.key);
    else merged.push(item);
  }
  for (let key = corrected[next]; key !== undefined; key = corrected[next]) await correct(key);
  return merged;
}

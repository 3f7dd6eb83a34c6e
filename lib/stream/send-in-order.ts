import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Refusal } from './sink.ts';

/** The response to one entry of a request. */
export type Answer = 'taken' | { readonly again: string } | { readonly refused: string };

/** A service that accepts batches and responds to each entry. */
export interface BatchChannel<T> {
  readonly maxEntries: number;
  /** The size limit in bytes of all entries in a request. */
  readonly maxBytes: number;
  bytes(entry: T): number;
  /** The group of an entry. Entries of the same group are never in one request, because a request may be accepted only in part. */
  group(entry: T): string;
  /**
   * Sends one request. Returns a response for each entry in order, or why the whole request was refused. Throws StoreError for a transient
   * error.
   */
  request(batch: readonly T[]): Promise<readonly Answer[] | { readonly malformed: string }>;
}

const ATTEMPTS = 5;
/** The delay before unaccepted entries are sent again, in ms. */
const BACKOFF = { duration: 50, factor: 2 };

interface Waiting<T> {
  readonly entry: T;
  readonly index: number;
}

/**
 * Implements a `Sink`'s `send` with a channel. Sends batches in order, and retries unaccepted entries with backoff before the next
 * batch.
 */
export async function sendInOrder<T>(
  entries: readonly T[],
  channel: BatchChannel<T>,
  clock: Clock,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  const fitting = entries.flatMap((entry, index): Waiting<T>[] => {
    const bytes = channel.bytes(entry);
    if (bytes <= channel.maxBytes) return [{ entry, index }];
    refusals.push({ index, reason: `${bytes} bytes are more than ${channel.maxBytes}` });
    return [];
  });
  for (const batch of batches(fitting, channel)) refusals.push(...(await sendBatch(batch, channel, clock)));
  return refusals;
}

function* batches<T>(entries: readonly Waiting<T>[], channel: BatchChannel<T>): Generator<Waiting<T>[]> {
  let [batch, bytes, groups]: [Waiting<T>[], number, Set<string>] = [[], 0, new Set()];
  for (const waiting of entries) {
    const [size, group] = [channel.bytes(waiting.entry), channel.group(waiting.entry)];
    if (batch.length === channel.maxEntries || bytes + size > channel.maxBytes || groups.has(group)) {
      yield batch;
      [batch, bytes, groups] = [[], 0, new Set()];
    }
    batch.push(waiting);
    bytes += size;
    groups.add(group);
  }
  if (batch.length > 0) yield batch;
}

async function sendBatch<T>(batch: readonly Waiting<T>[], channel: BatchChannel<T>, clock: Clock): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  let left = batch;
  for (let attempt = 1; ; attempt += 1) {
    const answers = await channel.request(left.map(({ entry }) => entry));
    if ('malformed' in answers) return [...refusals, ...(await eachAlone(left, answers.malformed, channel, clock))];
    const again: Waiting<T>[] = [];
    let reason = '';
    for (const [i, waiting] of left.entries()) {
      const answer = answers[i] ?? { again: 'it was not answered' };
      if (answer === 'taken') continue;
      if ('refused' in answer) refusals.push({ index: waiting.index, reason: answer.refused });
      else [reason] = [answer.again, again.push(waiting)];
    }
    if (again.length === 0) return refusals;
    if (attempt === ATTEMPTS) throw new StoreError('Unavailable', `${again.length} entries were not taken: ${reason}`);
    left = again;
    await clock.sleep(delayAfter(attempt, BACKOFF));
  }
}

/** Sends each entry alone, because the response does not identify the malformed one. */
async function eachAlone<T>(
  batch: readonly Waiting<T>[],
  reason: string,
  channel: BatchChannel<T>,
  clock: Clock,
): Promise<Refusal[]> {
  if (batch.length === 1) return batch.map(({ index }) => ({ index, reason }));
  const refusals: Refusal[] = [];
  for (const waiting of batch) refusals.push(...(await sendBatch([waiting], channel, clock)));
  return refusals;
}

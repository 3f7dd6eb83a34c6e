import { StoreError } from '#lib/storage/errors.ts';
import {
  type Change,
  epochOf,
  type Sequence,
  type StateEntry,
  type Summary,
  type Version,
} from '#lib/storage/sequence.ts';
import type { Consumer } from './consumer.ts';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';
import type { LogReader } from './log-reader.ts';

/** A consumer in a sequence, and the ports for following its log. */
export interface Following {
  readonly name: string;
  readonly sequence: Sequence;
  readonly consumer: Consumer;
  readonly log: LogReader;
  readonly deadLetters: Pick<DeadLetters, 'put'>;
  now(): number;
  /** Computes the summary of bytes that have none. */
  summarize(body: Uint8Array): Summary;
  /** Whether there is time for another page. */
  hasTime(): boolean;
  /** Called for a consumer whose position was no longer in the log. The consumer then received all objects, but no deletions. */
  resynced(consumer: string): void;
}

/** Returns the consumer's position in a sequence, or creates its cursor at the beginning. The log keeps everything after a cursor. */
export async function enrol({ marks }: Pick<Sequence, 'marks'>, reader: string): Promise<Version> {
  const place = await marks.cursor(reader);
  if (place !== undefined) return place;
  await marks.moveCursor(reader, undefined, 0);
  return (await marks.cursor(reader)) ?? 0;
}

/**
 * Moves the cursor of a consumer that no longer wants the log to its head, so that the log keeps nothing for it. A consumer that never
 * wanted the log gets no cursor.
 */
export async function leave(sequence: Pick<Sequence, 'marks' | 'head'>, reader: string): Promise<void> {
  const place = await sequence.marks.cursor(reader);
  if (place === undefined) return;
  const head = await sequence.head();
  if (place < head) await sequence.marks.moveCursor(reader, place, head);
}

/**
 * Delivers the changes after `from` page by page, and moves the consumer's cursor after each page. A concurrent follower continues from the
 * position that the other one reached. Changes delivered twice are in order both times. Resolves with the position reached, and whether the
 * log ended there.
 */
export async function follow(following: Following, from: Version): Promise<{ at: Version; ended: boolean }> {
  let at = from;
  for (let more = true; more; ) {
    if (!following.hasTime()) return { at, ended: false };
    const page = await nextPage(following, at);
    if (page.last > at) at = await moveOn(following, at, page.last);
    more = page.more || at !== page.last;
  }
  return { at, ended: true };
}

async function moveOn({ sequence: { marks }, consumer }: Following, from: Version, to: Version): Promise<Version> {
  if (await marks.moveCursor(consumer.reader, from, to)) return to;
  return (await marks.cursor(consumer.reader)) ?? from;
}

/** Delivers one page, or all objects if the log no longer reaches back to this position. */
async function nextPage(following: Following, at: Version): Promise<{ last: Version; more: boolean }> {
  const { name, consumer, log } = following;
  try {
    const { changes, last, more } = await log.page(at);
    await deliver(following, changes);
    return { last, more };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'Expired') throw error;
    const last = await resync(following);
    if (last <= at) throw error;
    // A restore ends an epoch. All consumers then start over, so no change is missing.
    if (at > 0 && epochOf(at) === epochOf(last)) following.resynced(`${consumer.reader} of ${name}`);
    return { last, more: true };
  }
}

const BATCH = 64;

/** Delivers every object as ADDED, up to the returned watermark. */
export async function resync(following: Omit<Following, 'log' | 'hasTime' | 'resynced'>): Promise<Version> {
  const { from, entries } = await following.sequence.snapshot({ prefix: '' });
  let batch: Change[] = [];
  for await (const entry of entries) {
    batch.push(asAdded(entry, following.summarize));
    if (batch.length < BATCH) continue;
    await deliver(following, batch);
    batch = [];
  }
  await deliver(following, batch);
  return from;
}

const asAdded = ({ key, version, body }: StateEntry, summarize: Following['summarize']): Change => ({
  ...summarize(body),
  key,
  version,
  body,
  type: 'ADDED',
});

/** Delivers changes. A change that cannot be delivered is stored as a dead letter and counts as delivered. */
async function deliver(
  { name, consumer, deadLetters, now }: Pick<Following, 'name' | 'consumer' | 'deadLetters' | 'now'>,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  for (const undeliverable of await consumer.deliver(name, changes)) {
    const deadLetter: DeadLetter = { ...undeliverable, consumer: consumer.reader, sequence: name, at: now() };
    await deadLetters.put(deadLetter);
  }
}

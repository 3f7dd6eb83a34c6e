import { StoreError } from '#lib/storage/errors.ts';
import {
  type Change,
  epochOf,
  type Sequence,
  type StateEntry,
  type Summary,
  type Version,
} from '#lib/storage/sequence.ts';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';
import type { Lane } from './lane.ts';
import type { LogReader } from './log-reader.ts';

/** A lane in a sequence, and the ports to follow the log with. */
export interface Following {
  readonly name: string;
  readonly sequence: Sequence;
  readonly lane: Lane;
  readonly log: LogReader;
  readonly deadLetters: Pick<DeadLetters, 'put'>;
  now(): number;
  /** Of bytes that come without a summary. */
  summarize(body: Uint8Array): Summary;
  /** Whether there is time for another page. */
  hasTime(): boolean;
  /** Is told of a lane whose place was no longer in the log: it was given all objects, but no deletions. */
  resynced(lane: string): void;
}

/** Where a lane is in a sequence; at its beginning where it never was. The log keeps what is behind this. */
export async function enrol({ marks }: Pick<Sequence, 'marks'>, reader: string): Promise<Version> {
  const place = await marks.cursor(reader);
  if (place !== undefined) return place;
  await marks.moveCursor(reader, undefined, 0);
  return (await marks.cursor(reader)) ?? 0;
}

/**
 * Moves the cursor of a lane that no longer wants the log to its head, so that the log keeps nothing for it. A lane that never
 * wanted the log gets no cursor.
 */
export async function leave(sequence: Pick<Sequence, 'marks' | 'head'>, reader: string): Promise<void> {
  const place = await sequence.marks.cursor(reader);
  if (place === undefined) return;
  const head = await sequence.head();
  if (place < head) await sequence.marks.moveCursor(reader, place, head);
}

/**
 * Delivers what is behind `from` and then moves the lane's cursor, page by page. Whoever else does the same at once moves on from
 * where the other got to: what was delivered twice was delivered in order by each. Resolves with the place reached, and whether
 * the log ended there.
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

async function moveOn({ sequence: { marks }, lane }: Following, from: Version, to: Version): Promise<Version> {
  if (await marks.moveCursor(lane.reader, from, to)) return to;
  return (await marks.cursor(lane.reader)) ?? from;
}

/** Delivers one page; all objects instead where the log no longer goes on from here. */
async function nextPage(following: Following, at: Version): Promise<{ last: Version; more: boolean }> {
  const { name, lane, log } = following;
  try {
    const { changes, last, more } = await log.page(at);
    await deliver(following, changes);
    return { last, more };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'Expired') throw error;
    const last = await resync(following);
    if (last <= at) throw error;
    // A restore ends an epoch: all begin anew then, and nothing is missing.
    if (at > 0 && epochOf(at) === epochOf(last)) following.resynced(`${lane.reader} of ${name}`);
    return { last, more: true };
  }
}

const BATCH = 64;

/** Delivers every object as if it had just been made, up to the watermark that it answers. */
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

/** Delivers changes. A change that cannot be delivered becomes a dead letter first, and counts as delivered. */
async function deliver(
  { name, lane, deadLetters, now }: Pick<Following, 'name' | 'lane' | 'deadLetters' | 'now'>,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  for (const undeliverable of await lane.deliver(name, changes)) {
    const letter: DeadLetter = { ...undeliverable, lane: lane.reader, sequence: name, at: now() };
    await deadLetters.put(letter);
  }
}

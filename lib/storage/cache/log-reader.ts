import { StoreError } from '../errors.ts';
import type { Change, LogPage, Sequence, Version } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import { Item, itemOf, pickSummary, type Summarize } from './item.ts';

const PAGE = 500;
const TRIES = 3;

/** Reads the log after `after` up to its end at the time of the last page, consistently. */
export async function* readTail(sequence: Sequence, after: Version): AsyncGenerator<LogPage, void> {
  for (let position = after; ; ) {
    const page = await sequence.readLog(position, { limit: PAGE, consistent: true });
    if (page.more && page.last <= position)
      throw new StoreError('Corrupt', `the log does not go on behind ${position}`);
    position = page.last;
    yield page;
    if (!page.more) return;
  }
}

/**
 * Reads the state before a change in a process that has no state in memory. Either the change carries that state, or the log still has it.
 * Writers ensure this. Throws Expired if a compaction has removed it.
 */
export async function readPrevious(sequence: Sequence, change: Change): Promise<StoredObject | undefined> {
  const { key, previous, previousBody } = change;
  if (previous === undefined) return undefined;
  const summary = pickSummary(previous);
  if (previousBody !== undefined) return new Item(key, previous.version, previousBody, summary);
  const found = await changeAt(sequence, previous.version, key);
  return new Item(key, previous.version, found.body, summary, found);
}

async function changeAt(sequence: Sequence, version: Version, key: string): Promise<Change> {
  const page = await sequence.readLog(version - 1, { limit: 1, consistent: true });
  const found = page.changes.find((change) => change.version === version && change.key === key);
  if (found === undefined) throw new StoreError('Corrupt', `the log has no change of ${key} at ${version}`);
  return found;
}

/** The current state of a key, and the position up to which it is valid. */
export interface LogRead {
  readonly at: Version;
  readonly object: StoredObject | undefined;
}

/** Retries a read when a compaction removed entries between a watermark and the log after it. */
export async function retryExpired<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === TRIES || !(error instanceof StoreError) || error.code !== 'Expired') throw error;
    }
  }
}

/** Reads one key without loading its sequence: the checkpointed item, then the log after its watermark. */
export const readKey = (sequence: Sequence, key: string, summarize: Summarize): Promise<LogRead> =>
  retryExpired(() => readKeyOnce(sequence, key, summarize));

async function readKeyOnce(sequence: Sequence, key: string, summarize: Summarize): Promise<LogRead> {
  const { from, item } = await sequence.read(key);
  let object: StoredObject | undefined = item && new Item(key, item.version, item.body, summarize, item);
  let at = from;
  for await (const page of readTail(sequence, from)) {
    for (const change of page.changes) {
      if (change.key === key) object = change.type === 'DELETED' ? undefined : itemOf(change);
    }
    at = page.last;
  }
  return { at, object };
}

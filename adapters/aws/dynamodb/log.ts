import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { type Entry, readEntry } from './entry.ts';
import { LAST, type Partitions, position, text } from './layout.ts';
import type { Item, Table } from './port.ts';

/** The number of entry ends to remember. It is large enough that a cursor at the end of the log never queries its position. */
const REMEMBERED = 1024;
/** The number of entries fetched together to compare their times. */
const PER_PAGE = 100;
/** Maximum entries of one page. The service ends a page at 1 MB anyway. */
const MAX_PAGE = 10_000;

/** Consecutive entries of a log. */
export interface EntryPage {
  /** Complete, contiguous entries. The first one may begin at or before `after` and end beyond it. */
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** Reads the items of one log, and never across a gap. */
export class Log {
  readonly #table: Table;
  readonly #where: Partitions;
  /** Maps the last position of an entry to the first position of the next one. */
  readonly #ends = new Map<Version, Version>();

  constructor(table: Table, where: Partitions) {
    this.#table = table;
    this.#where = where;
  }

  /**
   * Returns the entries that cover the positions after `after`. A gap in an eventually consistent page is read again consistently. Throws
   * Expired if the gap remains, and FutureVersion for a consistent read above the head.
   */
  async after(after: Version, options: { limit: number; consistent: boolean }): Promise<EntryPage> {
    const page = await this.#attempt(after, options);
    if (page !== undefined) return page;
    const again = options.consistent ? undefined : await this.#attempt(after, { ...options, consistent: true });
    if (again !== undefined) return again;
    throw new StoreError('Expired', `the log no longer holds what follows ${after}`);
  }

  /** The entry with this first position, read consistently. */
  async at(first: Version): Promise<Entry | undefined> {
    const key = { pk: text(this.#where.log), sk: text(position(first)) };
    const { Item: item } = await this.#table.get({ Key: key, ConsistentRead: true });
    return item === undefined ? undefined : this.remember(readEntry(item, this.#where));
  }

  /** The last entry that starts at or before `bound`. */
  async before(bound: Version, { consistent }: { consistent: boolean }): Promise<Entry | undefined> {
    const [entry] = (await this.#query({ upTo: bound, limit: 1, consistent })).entries;
    return entry;
  }

  /** The existing entries, oldest first, even across gaps. Only the checkpointer uses this. */
  oldest(limit: number, after: Version = 0): Promise<EntryPage> {
    return this.#query({ after, limit, consistent: true });
  }

  /** The last position before the first entry that was committed at or after the time. Undefined if no such entry exists. */
  async beforeTime(time: number): Promise<Version | undefined> {
    for (let after = 0, more = true; more; ) {
      const page = await this.oldest(PER_PAGE, after);
      const found = page.entries.find(({ committed }) => committed >= time);
      if (found !== undefined) return found.first - 1;
      after = page.entries.at(-1)?.last ?? after;
      more = page.more;
    }
    return undefined;
  }

  /** Reports whether an epoch ended at this position. */
  sealedAt(last: Version): boolean {
    return (this.#ends.get(last) ?? last + 1) !== last + 1;
  }

  remember(entry: Entry): Entry {
    this.#ends.delete(entry.last);
    this.#ends.set(entry.last, entry.next);
    const oldest = this.#ends.size > REMEMBERED ? this.#ends.keys().next().value : undefined;
    if (oldest !== undefined) this.#ends.delete(oldest);
    return entry;
  }

  /** Undefined for a gap. */
  async #attempt(after: Version, options: { limit: number; consistent: boolean }): Promise<EntryPage | undefined> {
    const place = this.#ends.has(after) ? undefined : await this.before(after, options);
    if (place !== undefined && place.last > after) return this.#within(place, options);
    const next = this.#ends.get(after);
    const page = await this.#query({ after, ...options });
    if (page.entries.length === 0 && next === undefined && options.consistent) throw above(after, place?.last);
    return contiguous(page.entries, next ?? after + 1) ? page : undefined;
  }

  /** Handles an `after` inside an entry. Returns that entry first, then the following ones. */
  async #within(entry: Entry, options: { limit: number; consistent: boolean }): Promise<EntryPage | undefined> {
    const page = await this.#query({ after: entry.last, ...options });
    if (!contiguous(page.entries, entry.next)) return undefined;
    return { entries: [entry, ...page.entries], more: page.more };
  }

  /** Queries one entry more than the limit, because a full page does not show whether more entries follow. */
  async #query(range: { after?: Version; upTo?: Version; limit: number; consistent: boolean }): Promise<EntryPage> {
    const backwards = range.upTo !== undefined;
    const limit = Math.min(range.limit, MAX_PAGE);
    const page = await this.#table.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': text(this.#where.log),
        ':first': text(position(range.after === undefined ? 0 : range.after + 1)),
        ':last': text(range.upTo === undefined ? LAST : position(range.upTo)),
      },
      ScanIndexForward: !backwards,
      Limit: backwards ? limit : limit + 1,
      ConsistentRead: range.consistent,
    });
    const items = page.Items ?? [];
    const entries = items.slice(0, limit).map((item: Item) => this.remember(readEntry(item, this.#where)));
    return { entries, more: page.LastEvaluatedKey !== undefined || items.length > limit };
  }
}

function contiguous(entries: readonly Entry[], start: Version): boolean {
  let expected = start;
  for (const entry of entries) {
    if (entry.first !== expected) return false;
    expected = entry.next;
  }
  return true;
}

const above = (after: Version, head: Version | undefined): StoreError =>
  new StoreError('FutureVersion', `position ${after} is above the head`, head === undefined ? {} : { head });

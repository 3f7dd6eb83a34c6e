import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { indexedFields, isIndexed } from '#lib/storage/indexed-fields.ts';
import { compareKeys, keyPrefix, parseKey } from '#lib/storage/keys.ts';
import type { Extent, Outline, SnapshotOptions, StateEntry, Version } from '#lib/storage/sequence.ts';
import { type ChunkAddress, type Chunks, digest, INLINE_LIMIT } from './chunks.ts';
import { conflictingItem, faultOf } from './faults.ts';
import { keysAt } from './index-entries.ts';
import {
  checkFormat,
  FORMAT,
  fieldIndex,
  isTombstone,
  LAST,
  number,
  numberAt,
  type Partitions,
  position,
  text,
  textAt,
  tombstone,
} from './layout.ts';
import { pack, unpack } from './pack.ts';
import type { Item, QueryInput, Table } from './port.ts';

/** Maximum times that an item is read again because its chunks were replaced during the read. */
const REREADS = 3;
/** The number of sets of chunks that a reader of entries requests concurrently. */
const PARALLEL_READS = 16;
/** Maximum number of items in a page of a query. The service ends a page at 1 MB anyway. */
const LONGEST_PAGE = 10_000;

/** The last state of a key. Without a body it was deleted. */
export interface FinalState {
  readonly key: string;
  readonly version: Version;
  readonly body?: Uint8Array;
}

interface Page {
  readonly first: string;
  readonly last: string;
  readonly from: Item | undefined;
  readonly limit?: number | undefined;
}

type PageOptions = Pick<QueryInput, 'ConsistentRead' | 'ProjectionExpression'>;
/** Reads only the lengths. An eventually consistent read costs half as much and may be slightly out of date. */
const LENGTHS: PageOptions = { ConsistentRead: false, ProjectionExpression: 'l, d' };

interface Prepared {
  readonly item: Item;
  readonly chunks?: { readonly at: ChunkAddress; readonly count: number };
}

/** The checkpointed items of one sequence. They are in one partition, so a query returns them in key order. */
export class State {
  readonly #table: Table;
  readonly #chunks: Chunks;
  readonly #clock: Clock;
  readonly #where: Partitions;
  readonly #outline: Outline;

  constructor(
    table: Table,
    chunks: Chunks,
    { clock, where, outline }: { clock: Clock; where: Partitions; outline: Outline },
  ) {
    this.#table = table;
    this.#chunks = chunks;
    this.#clock = clock;
    this.#where = where;
    this.#outline = outline;
  }

  /**
   * Puts a state unless the stored one has the same or a newer version. It may be repeated after any crash, at any time. Chunks are written
   * before the item that refers to them, and their expiry is removed after it. The previous item's chunks are deleted once the new item
   * exists.
   */
  async put(state: FinalState): Promise<void> {
    const { item, chunks } = await this.#itemOf(state);
    const old = await this.#putNewer(item, state.version);
    const there = old.newer ?? item;
    if (numberAt(there, 'v') === state.version && (old.newer !== undefined || old.replaced?.['p'] !== undefined)) {
      await this.#chunks.deleteBefore({ partition: this.#where.stateChunks(state.key), set: position(state.version) });
    }
    if (chunks === undefined) return;
    const referred = there['c']?.S === chunks.at.set;
    await (referred ? this.#chunks.keep(chunks.at, chunks.count) : this.#chunks.delete(chunks.at));
  }

  /** Returns the replaced item, or the stored one if its version is the same or newer. */
  async #putNewer(item: Item, version: Version): Promise<{ replaced?: Item | undefined; newer?: Item }> {
    try {
      const { Attributes: replaced } = await this.#table.put({
        Item: item,
        ConditionExpression: 'attribute_not_exists(v) OR v < :v',
        ExpressionAttributeValues: { ':v': number(version) },
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return { replaced };
    } catch (error) {
      if (faultOf(error) !== 'condition') throw error;
      return { newer: conflictingItem(error) ?? {} };
    }
  }

  async #itemOf({ key, version, body }: FinalState): Promise<Prepared> {
    const base = { pk: text(this.#where.state), sk: text(key), f: number(FORMAT), v: number(version) };
    if (body === undefined) return { item: { ...base, ...tombstone(this.#clock) } };
    const whole = { ...base, l: number(body.length) };
    const packed = pack(body);
    const outline = this.#outline(key, body);
    const short = outline && pack(outline);
    const isApart = short !== undefined && short.length <= INLINE_LIMIT;
    if (!isApart && packed.length <= INLINE_LIMIT) return { item: { ...whole, b: { B: packed } } };
    const at = { partition: this.#where.stateChunks(key), set: `${position(version)}-${digest(packed)}` };
    const count = await this.#chunks.write(at, packed);
    const referring = { ...whole, c: text(at.set), p: number(count), ...(isApart ? { o: { B: short } } : {}) };
    return { item: referring, chunks: { at, count } };
  }

  /** The state of one key, read consistently. Undefined if it never existed or was deleted. */
  async read(key: string): Promise<StateEntry | undefined> {
    for (let reread = 0; reread <= REREADS; reread += 1) {
      const { Item: item } = await this.#table.get({
        Key: { pk: text(this.#where.state), sk: text(key) },
        ConsistentRead: true,
      });
      if (item === undefined || isGone(item)) return undefined;
      const body = await this.#body(item);
      if (body !== undefined) return { key, version: numberAt(item, 'v'), body };
    }
    throw new StoreError('Corrupt', `the chunks of ${key} are missing`);
  }

  /** The states whose keys begin with `prefix`, from `start` on, in key order. Each page is read consistently. */
  async *entries(range: SnapshotOptions): AsyncGenerator<StateEntry> {
    const place = indexPlace(range);
    if (place !== undefined) return yield* this.#indexed(place, range);
    const { prefix, start, outlines = false, expected } = range;
    const last = prefix + LAST;
    const first = start === undefined || compareKeys(start, prefix) < 0 ? prefix : start;
    if (compareKeys(first, last) > 0) return;
    let from: Item | undefined;
    // Each page is twice as long as the last one, up to the page size of the service, if the caller reads more items than expected.
    let limit = expected;
    do {
      const page = await this.#page({ first: firstOf(first), last, from, limit });
      if (limit !== undefined) limit = Math.min(limit * 2, LONGEST_PAGE);
      const items = page.items.filter((item) => !isGone(item));
      for (let i = 0; i < items.length; i += PARALLEL_READS) {
        const some = items.slice(i, i + PARALLEL_READS).map((item) => this.#entryOf(item, outlines));
        for (const entry of await Promise.all(some)) if (entry !== undefined) yield entry;
      }
      from = page.next;
    } while (from !== undefined);
  }

  /**
   * Counts the states whose keys begin with `prefix` and the bytes of their bodies, reading only the lengths. Undefined if an item has no
   * length, because an older program wrote it.
   */
  async extent(prefix: string): Promise<Omit<Extent, 'from'> | undefined> {
    let objects = 0;
    let bytes = 0;
    let from: Item | undefined;
    do {
      const page = await this.#page({ first: firstOf(prefix), last: prefix + LAST, from }, LENGTHS);
      for (const item of page.items) {
        if (isTombstone(item)) continue;
        if (item['l'] === undefined) return undefined;
        objects += 1;
        bytes += numberAt(item, 'l');
      }
      from = page.next;
    } while (from !== undefined);
    return { objects, bytes };
  }

  /** The states that have an entry in an index. Some may have changed their value since. */
  async *#indexed(place: string, { prefix, start = '' }: SnapshotOptions): AsyncGenerator<StateEntry> {
    const all = await keysAt(this.#table, place);
    const keys = all.filter((key) => key.startsWith(prefix) && compareKeys(key, start) >= 0);
    for (let i = 0; i < keys.length; i += PARALLEL_READS) {
      const some = keys.slice(i, i + PARALLEL_READS).map((key) => this.read(key));
      for (const entry of await Promise.all(some)) if (entry !== undefined) yield entry;
    }
  }

  async #page({ first, last, from, limit }: Page, how: PageOptions = { ConsistentRead: true }) {
    const page = await this.#table.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': text(this.#where.state), ':first': text(first), ':last': text(last) },
      ...how,
      ...defined({ ExclusiveStartKey: from, Limit: limit }),
    });
    return { items: page.Items ?? [], next: page.LastEvaluatedKey };
  }

  async #entryOf(item: Item, outlines: boolean): Promise<StateEntry | undefined> {
    const key = textAt(item, 'sk');
    const short = outlines ? item['o']?.B : undefined;
    if (short !== undefined) return { key, version: numberAt(item, 'v'), body: unpack(short), outline: true };
    const body = await this.#body(item);
    return body === undefined ? this.read(key) : { key, version: numberAt(item, 'v'), body };
  }

  /** Undefined if the item's chunks were deleted, because the item was replaced. */
  async #body(item: Item): Promise<Uint8Array | undefined> {
    checkFormat(item);
    const inline = item['b']?.B;
    if (inline !== undefined) return unpack(inline);
    const at: ChunkAddress = { partition: this.#where.stateChunks(textAt(item, 'sk')), set: textAt(item, 'c') };
    const packed = await this.#chunks.read(at, numberAt(item, 'p'));
    return packed === undefined ? undefined : unpack(packed);
  }
}

/** The index partition for a prefix of one resource. Undefined if no index covers the field and value. */
function indexPlace({ prefix, where }: SnapshotOptions): string | undefined {
  const { cluster, group, resource } = parseKey(prefix);
  if (where === undefined || !isIndexed(where.value)) return undefined;
  if (!prefix.startsWith(keyPrefix({ cluster, group, resource }))) return undefined;
  if (!indexedFields({ group, resource }).includes(where.field)) return undefined;
  return fieldIndex({ cluster, group, resource }, where.field, where.value);
}

/** Avoids an empty sort key, which DynamoDB rejects. */
const firstOf = (key: string): string => (key === '' ? '\0' : key);

function isGone(item: Item): boolean {
  checkFormat(item);
  return isTombstone(item);
}

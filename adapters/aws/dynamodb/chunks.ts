import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { faultOf } from './faults.ts';
import { LAST, number, text, textAt } from './layout.ts';
import type { Item, Table } from './port.ts';

/** Maximum bytes of a body that is stored inside its item. DynamoDB limits an item to 400 KB, including attribute names and key. */
export const INLINE_LIMIT = 300_000;
const PART = 350_000;
const DAY = 24 * 60 * 60;
/** A chunk expires after this many seconds if its writer crashed before an item referred to it. */
const ORPHAN_SECONDS = 30 * DAY;

/** The location of the parts of one blob: a partition, and the prefix of their sort keys. */
export interface ChunkAddress {
  readonly partition: string;
  readonly set: string;
}

/** A short hash of the content. It prevents a nonce that is reused for other content from finding the wrong parts. */
export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Stores values larger than an item in separate items. Exactly one item refers to each set of chunks. */
export class Chunks {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(table: Table, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** Stores the parts with an expiry, and returns their number. Existing parts stay unchanged. */
  async write(at: ChunkAddress, bytes: Uint8Array): Promise<number> {
    const count = Math.ceil(bytes.length / PART);
    const ttl = Math.floor(this.#clock.now() / 1000) + ORPHAN_SECONDS;
    const parts = Array.from({ length: count }, (_, i) => bytes.subarray(i * PART, (i + 1) * PART));
    for (const [i, part] of parts.entries()) await this.#writePart(at, { i, part, ttl });
    return count;
  }

  async #writePart(at: ChunkAddress, { i, part, ttl }: { i: number; part: Uint8Array; ttl: number }): Promise<void> {
    const key = partKey(at, i);
    try {
      await this.#table.put({
        Item: { ...key, b: { B: part }, ttl: number(ttl) },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
    } catch (error) {
      if (faultOf(error) !== 'condition') throw error;
    }
  }

  /** Returns the blob. Undefined if a part is missing, because the item that referred to it was deleted or replaced. */
  async read(at: ChunkAddress, count: number): Promise<Uint8Array | undefined> {
    const items = await this.#items(at, { bytes: true });
    if (items.length !== count) return undefined;
    return Buffer.concat(items.map((item) => item['b']?.B ?? corrupt()));
  }

  /** Removes the expiry of the parts. A part that was deleted is not recreated. */
  async keep(at: ChunkAddress, count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      try {
        await this.#table.update({
          Key: partKey(at, i),
          UpdateExpression: 'REMOVE #ttl',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ConditionExpression: 'attribute_exists(pk)',
        });
      } catch (error) {
        if (faultOf(error) !== 'condition') throw error;
      }
    }
  }

  async delete(at: ChunkAddress): Promise<void> {
    for (const item of await this.#items(at, { bytes: false })) await this.#remove(item);
  }

  /** Deletes every set of the partition whose name sorts before `set`. */
  async deleteBefore({ partition, set }: ChunkAddress): Promise<void> {
    const condition = { KeyConditionExpression: 'pk = :pk AND sk < :set' };
    const values = { ':pk': text(partition), ':set': text(set) };
    for (const item of await this.#query(condition, values, { bytes: false })) await this.#remove(item);
  }

  async #remove(item: Item): Promise<void> {
    await this.#table.delete({ Key: { pk: text(textAt(item, 'pk')), sk: text(textAt(item, 'sk')) } });
  }

  #items({ partition, set }: ChunkAddress, options: { bytes: boolean }): Promise<Item[]> {
    const condition = { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last' };
    const values = { ':pk': text(partition), ':first': text(`${set}/`), ':last': text(`${set}/${LAST}`) };
    return this.#query(condition, values, options);
  }

  async #query(condition: { KeyConditionExpression: string }, values: Item, { bytes }: { bytes: boolean }) {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const page = await this.#table.query({
        ...condition,
        ExpressionAttributeValues: values,
        ...(bytes ? {} : { ProjectionExpression: 'pk, sk' }),
        ConsistentRead: true,
        ...defined({ ExclusiveStartKey: start }),
      });
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return items;
  }
}

const partKey = ({ partition, set }: ChunkAddress, i: number): Item => ({
  pk: text(partition),
  sk: text(`${set}/${String(i).padStart(4, '0')}`),
});

function corrupt(): never {
  throw new StoreError('Corrupt', 'a chunk has no bytes');
}

import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { faultOf } from './faults.ts';
import {
  CURSOR_PREFIX,
  checkFormat,
  FORMAT,
  number,
  numberAt,
  type Partitions,
  text,
  textAt,
  WATERMARK,
} from './layout.ts';
import type { Item, Table } from './port.ts';

/** The small items of one sequence: the position of its state and those of its named readers. */
export class Marks {
  readonly #table: Table;
  readonly #where: Partitions;

  constructor(table: Table, where: Partitions) {
    this.#table = table;
    this.#where = where;
  }

  /** The watermark, read consistently. Undefined before the sequence exists. */
  watermark(): Promise<Version | undefined> {
    return this.#read(WATERMARK);
  }

  /** The position of the named reader. Entries after it are not dropped. */
  cursor(reader: string): Promise<Version | undefined> {
    return this.#read(CURSOR_PREFIX + reader);
  }

  moveWatermark(from: Version, to: Version): Promise<boolean> {
    return this.#swap(WATERMARK, from, to);
  }

  /** Compare-and-swap. `from` is undefined for a reader's first move. Returns false if the cursor is no longer at `from`. */
  moveCursor(reader: string, from: Version | undefined, to: Version): Promise<boolean> {
    return this.#swap(CURSOR_PREFIX + reader, from, to);
  }

  /** Sets the first watermark, below the first entry, if none exists. */
  async create(): Promise<void> {
    await this.#swap(WATERMARK, undefined, 0);
  }

  async cursors(): Promise<{ reader: string; version: Version }[]> {
    const { Items: items } = await this.#table.query({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :cursor)',
      ExpressionAttributeValues: { ':pk': text(this.#where.marks), ':cursor': text(CURSOR_PREFIX) },
      ConsistentRead: true,
    });
    return (items ?? []).map((item) => {
      checkFormat(item);
      return { reader: textAt(item, 'sk').slice(CURSOR_PREFIX.length), version: numberAt(item, 'v') };
    });
  }

  async #read(mark: string): Promise<Version | undefined> {
    const { Item: item } = await this.#table.get({ Key: this.#key(mark), ConsistentRead: true });
    if (item === undefined) return undefined;
    checkFormat(item);
    return numberAt(item, 'v');
  }

  async #swap(mark: string, from: Version | undefined, to: Version): Promise<boolean> {
    const condition = from === undefined ? 'attribute_not_exists(pk)' : 'v = :from AND f <= :f';
    try {
      await this.#table.update({
        Key: this.#key(mark),
        UpdateExpression: 'SET v = :to, f = :f',
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ':to': number(to),
          ':f': number(FORMAT),
          ...(from === undefined ? {} : { ':from': number(from) }),
        },
      });
      return true;
    } catch (error) {
      if (faultOf(error) === 'condition') return false;
      throw error;
    }
  }

  #key(mark: string): Item {
    return { pk: text(this.#where.marks), sk: text(mark) };
  }
}

/** Returns the watermark of a sequence that must exist. */
export function born(watermark: Version | undefined): Version {
  if (watermark === undefined) throw new StoreError('Corrupt', 'a log has no watermark');
  return watermark;
}

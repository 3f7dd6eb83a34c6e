import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { entryItem } from './entry.ts';
import { faultOf } from './faults.ts';
import { checkFormat, FORMAT, NAMES, number, type Partitions, text, textAt } from './layout.ts';
import type { Marks } from './marks.ts';
import type { Item, Table } from './port.ts';
import type { Moment } from './proof.ts';

const FIRST: Version = 1;

/** Creates a sequence: its name first, then its watermark, and finally an empty first entry. */
export class Birth {
  readonly #table: Table;
  readonly #marks: Marks;
  readonly #of: { readonly name: string; readonly where: Partitions; readonly clock: Clock };

  constructor(table: Table, marks: Marks, of: { name: string; where: Partitions; clock: Clock }) {
    this.#table = table;
    this.#marks = marks;
    this.#of = of;
  }

  /** Creates the sequence. `at` is a moment before the log was found empty. */
  async give(at: Moment): Promise<void> {
    await this.#table.put({ Item: { pk: text(NAMES), sk: text(this.#of.name), f: number(FORMAT) } });
    await this.#marks.create();
    await this.entry(FIRST, at);
  }

  /** Writes an empty entry at `first`, unless one exists. The entry starts an epoch. */
  async entry(first: Version, at: Moment): Promise<void> {
    const { where, clock } = this.#of;
    const draft = { count: 0, nonce: 'birth', content: {} };
    try {
      await this.#table.put(
        {
          Item: entryItem(draft, { where, first, committed: clock.now() }),
          ConditionExpression: 'attribute_not_exists(pk)',
        },
        { signedAt: at.wall },
      );
    } catch (error) {
      if (faultOf(error) !== 'condition') throw error;
    }
  }
}

/** The names of the existing sequences, in order. */
export async function sequenceNames(table: Table): Promise<string[]> {
  const names: string[] = [];
  let from: Item | undefined;
  do {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': text(NAMES) },
      ConsistentRead: true,
      ...defined({ ExclusiveStartKey: from }),
    });
    for (const item of page.Items ?? []) {
      checkFormat(item);
      names.push(textAt(item, 'sk'));
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return names;
}

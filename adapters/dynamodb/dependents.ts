import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { faultOf, storeError } from './faults.ts';
import { checkFormat, dependentsOf, FORMAT, isTombstone, number, text, textAt, tombstone } from './layout.ts';
import type { Item, Table } from './port.ts';

interface DependentKey {
  readonly cluster: string;
  readonly owner: string;
  readonly key: string;
}

/** Enters a dependent, or its end, unless what is there is of that version or newer: a late fold undoes nothing. */
export async function enterDependent(
  table: Table,
  { cluster, owner, key }: DependentKey,
  { version, ends }: { version: Version; ends?: Clock },
): Promise<void> {
  const item = { pk: text(dependentsOf(cluster, owner)), sk: text(key), f: number(FORMAT), v: number(version) };
  try {
    await table.put({
      Item: ends === undefined ? item : { ...item, ...tombstone(ends) },
      ConditionExpression: 'attribute_not_exists(v) OR v < :v',
      ExpressionAttributeValues: { ':v': number(version) },
    });
  } catch (error) {
    if (faultOf(error) !== 'condition') throw error;
  }
}

/** The entries, read consistently. */
export function dependentsIn(table: Table): DependentsIndex['dependents'] {
  return async (cluster, owner) => {
    const keys: string[] = [];
    let from: Item | undefined;
    do {
      const page = await table
        .query({
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': text(dependentsOf(cluster, owner)) },
          ConsistentRead: true,
          ...defined({ ExclusiveStartKey: from }),
        })
        .catch((error: unknown) => {
          throw storeError(error);
        });
      for (const item of page.Items ?? []) {
        checkFormat(item);
        if (!isTombstone(item)) keys.push(textAt(item, 'sk'));
      }
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
    return keys;
  };
}

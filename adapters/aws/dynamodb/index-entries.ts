import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type DependentsIndex, ownersIn } from '#lib/storage/dependents.ts';
import { indexedFields, isIndexed } from '#lib/storage/indexed-fields.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Summary, Version } from '#lib/storage/sequence.ts';
import { faultOf, storeError } from './faults.ts';
import {
  checkFormat,
  dependentsOf,
  FORMAT,
  fieldIndex,
  isTombstone,
  number,
  text,
  textAt,
  tombstone,
} from './layout.ts';
import type { Item, Table } from './port.ts';

/** The partitions with an entry for a state of an object: one for each owner, and one for each indexed field with a value. */
export function placesOf(key: string, state: Pick<Summary, 'ownerReferences' | 'fields'>): ReadonlySet<string> {
  const { cluster, group, resource } = parseKey(key);
  const owners = [...ownersIn(state)].map((owner) => dependentsOf(cluster, owner));
  const fields = indexedFields({ group, resource }).flatMap((field) => {
    const value = state.fields[field];
    return isIndexed(value) ? fieldIndex({ cluster, group, resource }, field, value) : [];
  });
  return new Set([...owners, ...fields]);
}

/**
 * Adds an object to a partition, or marks its removal, unless the stored entry has the same or a newer version. So a late fold undoes
 * nothing.
 */
export async function enter(
  table: Table,
  { place, key }: { readonly place: string; readonly key: string },
  { version, ends }: { version: Version; ends?: Clock },
): Promise<void> {
  const item = { pk: text(place), sk: text(key), f: number(FORMAT), v: number(version) };
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

/** The keys of the objects in a partition, in order, read consistently. */
export async function keysAt(table: Table, place: string): Promise<string[]> {
  const keys: string[] = [];
  let from: Item | undefined;
  do {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': text(place) },
      ConsistentRead: true,
      ...defined({ ExclusiveStartKey: from }),
    });
    for (const item of page.Items ?? []) {
      checkFormat(item);
      if (!isTombstone(item)) keys.push(textAt(item, 'sk'));
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return keys;
}

/** The index of dependents. */
export const dependentsIn =
  (table: Table): DependentsIndex['dependents'] =>
  async (cluster, owner) => {
    try {
      return await keysAt(table, dependentsOf(cluster, owner));
    } catch (error) {
      throw storeError(error);
    }
  };

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { storeError } from './faults.ts';
import { text } from './layout.ts';
import type { Item, Table } from './port.ts';
import { retryingClient } from './retry.ts';
import { TABLE } from './table.ts';

/** Reads a secret by name that all processes share. The first process creates it, and it never changes. Throws StoreError. */
export async function keptSecret(
  plain: Table,
  { name, clock, make }: { readonly name: string; readonly clock: Clock; make(): Promise<Uint8Array> },
): Promise<Uint8Array> {
  const table = retryingClient(plain, clock);
  const Key = keyOf(name);
  try {
    return (await read(table, Key)) ?? (await keep(table, Key, await make()));
  } catch (error) {
    throw storeError(error);
  }
}

/** Reads such a secret. Undefined until a process creates it. Throws StoreError. */
export async function foundSecret(
  plain: Table,
  { name, clock }: { readonly name: string; readonly clock: Clock },
): Promise<Uint8Array | undefined> {
  try {
    return await read(retryingClient(plain, clock), keyOf(name));
  } catch (error) {
    throw storeError(error);
  }
}

const keyOf = (name: string): Item => ({ [TABLE.partitionKey]: text('identity'), [TABLE.sortKey]: text(name) });

async function read(table: Table, Key: Item): Promise<Uint8Array | undefined> {
  const { Item: item } = await table.get({ Key, ConsistentRead: true });
  return item?.['secret']?.B;
}

async function keep(table: Table, Key: Item, secret: Uint8Array): Promise<Uint8Array> {
  try {
    await table.put({
      Item: { ...Key, secret: { B: secret } },
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': TABLE.partitionKey },
    });
    return secret;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const others = await read(table, Key);
    if (others === undefined) throw new StoreError('Corrupt', 'a secret that was kept is gone');
    return others;
  }
}

import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { connectTable } from '#adapters/aws/dynamodb/connect.ts';
import { createTable } from '#adapters/aws/dynamodb/create-table.ts';
import type { Item, Table } from '#adapters/aws/dynamodb/port.ts';
import { MemoryTable } from './memory-table.ts';

/** Creates a new table. */
export type NewTable = () => Promise<{
  readonly table: Table;
  /** All items of the table when the test ends it. */
  ended(): Promise<readonly Item[]>;
}>;

export const inMemory: NewTable = async () => {
  const table = new MemoryTable();
  return { table, ended: async () => table.items() };
};

/** A table that is deleted at its end, because DynamoDB Local cannot handle hundreds. */
export function onDynamoDb(client: DynamoDBClient): NewTable {
  return async () => {
    const TableName = `table-${randomUUID()}`;
    await createTable(client, TableName);
    const ended = async (): Promise<Item[]> => {
      const items = await scanAll(client, TableName);
      await client.send(new DeleteTableCommand({ TableName }));
      return items;
    };
    return { table: connectTable(client, TableName), ended };
  };
}

/** All items of a table. */
export async function scanAll(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const start = from === undefined ? {} : { ExclusiveStartKey: from };
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ...start }));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

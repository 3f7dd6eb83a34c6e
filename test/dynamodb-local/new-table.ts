import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, ScanCommand, type AttributeValue, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { connectTable } from '#adapters/dynamodb/connect.ts';
import { createTable } from '#adapters/dynamodb/create-table.ts';
import type { Table } from '#adapters/dynamodb/port.ts';
import { localClient, localConnection } from './fixture.ts';
import { MemoryTable } from './memory-table.ts';

/** An item as the SDK shows it. */
export type Stored = Record<string, AttributeValue>;

/** A table of its own. */
export type NewTable = () => Promise<{
  readonly table: Table;
  /** All that it has at its end. */
  ended(): Promise<readonly Stored[]>;
}>;

export const inMemory: NewTable = async () => {
  const table = new MemoryTable();
  return { table, ended: async () => table.items() };
};

/** One that goes at its end: hundreds are too many for what plays the database. */
export function onDynamoDb(endpoint: string): NewTable {
  return async () => {
    const client = localClient(endpoint);
    const TableName = `table-${randomUUID()}`;
    await createTable(client, TableName);
    const ended = async (): Promise<Stored[]> => {
      const items = await scan(client, TableName);
      await client.send(new DeleteTableCommand({ TableName }));
      client.destroy();
      return items;
    };
    return { table: connectTable(localConnection(endpoint), TableName), ended };
  };
}

async function scan(client: DynamoDBClient, TableName: string): Promise<Stored[]> {
  const items: Stored[] = [];
  let from: Stored | undefined;
  do {
    const start = from === undefined ? {} : { ExclusiveStartKey: from };
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ...start }));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

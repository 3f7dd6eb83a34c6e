import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from './table.ts';

/**
 * Creates the table unless it exists. Only tests and emulators use this, because in AWS the template creates the table. By default the
 * table has no stream, because DynamoDB Local scans all its streams on each write to a table with one.
 */
export async function createTable(
  client: DynamoDBClient,
  name: string,
  { hasStream = false }: { readonly hasStream?: boolean } = {},
): Promise<void> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: TABLE.billing,
        AttributeDefinitions: [
          { AttributeName: TABLE.partitionKey, AttributeType: 'S' },
          { AttributeName: TABLE.sortKey, AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: TABLE.partitionKey, KeyType: 'HASH' },
          { AttributeName: TABLE.sortKey, KeyType: 'RANGE' },
        ],
        ...(hasStream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.streamView } } : {}),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    return;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: name });
  const ttl = { Enabled: true, AttributeName: TABLE.timeToLive };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: ttl }));
}

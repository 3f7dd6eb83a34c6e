import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { localClient } from './fixture.ts';

const shards = z.object({ StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })) }) });
const iterator = z.object({ ShardIterator: z.string() });
const page = z.object({ Records: z.array(z.looseObject({})), NextShardIterator: z.string().optional() });

/** All records in a table's stream so far, as a function would receive them. */
export async function streamRecords(endpoint: string, table: string): Promise<unknown[]> {
  const client = localClient(endpoint);
  const { Table: described } = await client.send(new DescribeTableCommand({ TableName: table }));
  client.destroy();
  const StreamArn = described?.LatestStreamArn;
  const { StreamDescription } = shards.parse(await ask(endpoint, 'DescribeStream', { StreamArn }));
  const records: unknown[] = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    let { ShardIterator: next }: { ShardIterator?: string | undefined } = iterator.parse(
      await ask(endpoint, 'GetShardIterator', start),
    );
    while (next !== undefined) {
      const { Records, NextShardIterator } = page.parse(await ask(endpoint, 'GetRecords', { ShardIterator: next }));
      records.push(...Records);
      next = Records.length === 0 ? undefined : NextShardIterator;
    }
  }
  return records;
}

/** Calls the API of streams directly, because the client for tables does not support it. Signatures are not checked here. */
async function ask(endpoint: string, action: string, body: unknown): Promise<unknown> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${action}`,
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=00',
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

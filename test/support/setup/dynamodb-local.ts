import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';

/** One DynamoDB Local for all files of a run: each has tables of its own. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const local = await startDynamoDbLocal();
  if ('missing' in local) return undefined; // which each file tells as it skips
  process.env['DAVIT_DYNAMODB_ENDPOINT'] = local.endpoint;
  return local.stop;
}

import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';

/** One DynamoDB Local for all files of a run. Each file has its own tables. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const local = await startDynamoDbLocal();
  if ('missing' in local) return undefined; // each file reports the reason when it is skipped
  process.env['DAVIT_DYNAMODB_ENDPOINT'] = local.endpoint;
  return local.stop;
}

import { randomUUID } from 'node:crypto';
import { backsUp } from '#lib/server/backup/backup.conformance.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { FreezableClock, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { dynamoStore } from './store.ts';

describeOn(await startDynamoDbLocal(), 'a backup of DynamoDB', (endpoint) =>
  backsUp('DynamoDB', () => {
    const clock = new ManualClock();
    const options = { clock: new FreezableClock(clock) };
    return { clock, open: async () => dynamoStore(await localTable(endpoint, randomUUID()), options) };
  }),
);

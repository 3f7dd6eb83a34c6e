import { randomUUID } from 'node:crypto';
import { afterAll, describe, test } from 'vitest';
import { backsUp } from '#lib/backup/backup.conformance.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { FreezableClock, localTable } from '#test/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/dynamodb-local/start.ts';
import { dynamoStore } from './store.ts';

const local = await startDynamoDbLocal();

if ('missing' in local) {
  console.warn(`backups of DynamoDB skip: ${local.missing}`);
  describe.skip('a backup of DynamoDB', () => {
    test('skipped', () => undefined);
  });
} else {
  afterAll(() => local.stop());
  backsUp('DynamoDB', () => {
    const clock = new ManualClock();
    const options = { clock: new FreezableClock(clock) };
    return { clock, open: async () => dynamoStore(await localTable(local.endpoint, randomUUID()), options) };
  });
}

import { afterAll, describe, test } from 'vitest';
import { watchSlotsConformance } from '#lib/flowcontrol/watch-slots.conformance.ts';
import { FreezableClock, localTable } from '#test/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/dynamodb-local/start.ts';
import { tableWatchSlots } from './watch-slots.ts';

const local = await startDynamoDbLocal();

if ('missing' in local) {
  console.warn(`slots of watches on DynamoDB skip: ${local.missing}`);
  describe.skip('slots of watches on DynamoDB', () => {
    test('skipped', () => undefined);
  });
} else {
  const table = await localTable(local.endpoint, 'watch-slots');
  afterAll(async () => {
    table.close();
    await local.stop();
  });
  // A call that went unanswered is repeated behind a pause that nobody moves the clock for.
  watchSlotsConformance(async (cluster, count, clock) =>
    tableWatchSlots(table, { cluster, count, clock: new FreezableClock(clock) }),
  );
}

import { afterAll, beforeAll } from 'vitest';
import { watchSlotsConformance } from '#lib/flowcontrol/watch-slots.conformance.ts';
import { describeOn } from '#test/describe-on.ts';
import { FreezableClock, localTable } from '#test/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/dynamodb-local/start.ts';
import type { Table } from './port.ts';
import { tableWatchSlots } from './watch-slots.ts';

describeOn(await startDynamoDbLocal(), 'slots of watches on DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'watch-slots');
  });
  afterAll(() => table.close());
  // A call that went unanswered is repeated behind a pause that nobody moves the clock for.
  watchSlotsConformance(async (cluster, count, clock) =>
    tableWatchSlots(table, { cluster, count, clock: new FreezableClock(clock) }),
  );
});

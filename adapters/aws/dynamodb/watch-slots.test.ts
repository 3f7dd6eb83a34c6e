import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchSlotsConformance } from '#lib/server/flowcontrol/watch-slots.conformance.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { FreezableClock, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { countingClient } from './counting-client.ts';
import type { Table } from './port.ts';
import { tableWatchSlots } from './watch-slots.ts';

describeOn(await startDynamoDbLocal(), 'watch slots on DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'watch-slots');
  });
  afterAll(() => table.close());
  // A call without a response is retried after a pause, but no test advances the clock for that pause.
  watchSlotsConformance(async (cluster, count, clock) =>
    tableWatchSlots(table, { cluster, count, clock: new FreezableClock(clock) }),
  );

  test('a slot takes a query and a put, a refusal a query, and a check half a unit, for 200 watches of five users', async () => {
    const { table: counted, counts, reset } = countingClient(table);
    const slots = tableWatchSlots(counted, { cluster: 'counted', count: 60, clock: new ManualClock() });
    const taken = [];
    for (let i = 0; i < 200; i++) {
      const asker = { holder: `digest-of-u${i % 5}`, watch: `digest-of-${i}`, milliseconds: 300_000 };
      taken.push(await slots.take(asker));
    }
    const open = taken.filter((slot) => slot !== undefined);
    expect(open).toHaveLength(60);
    expect(counts.calls).toEqual({ get: 0, query: 200, put: 60, update: 0, delete: 0 });
    expect([counts.writeUnits, counts.readUnits / 200]).toEqual([60, expect.closeTo(2, 0)]);
    reset();
    for (const slot of open) expect(await slot.isHeld()).toBe(true);
    expect([counts.reads, counts.readUnits, counts.writes]).toEqual([60, 30, 0]);
    reset();
    for (const slot of open) await slot.release();
    expect([counts.reads, counts.writes, counts.writeUnits]).toEqual([0, 60, 60]);
  });
});

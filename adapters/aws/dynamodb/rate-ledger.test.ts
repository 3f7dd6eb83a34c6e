import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { rateLedgerConformance } from '#lib/server/flowcontrol/rate-ledger.conformance.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { countingClient } from './counting-client.ts';
import type { Table } from './port.ts';
import { tableRateLedger } from './rate-ledger.ts';

describeOn(await startDynamoDbLocal(), 'rate accounts on DynamoDB', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'rates');
  });
  afterAll(() => table.close());

  const clusters = new Map<Clock, string>();
  rateLedgerConformance(async (clock) => {
    const cluster = clusters.get(clock) ?? `c${clusters.size}`;
    clusters.set(clock, cluster);
    return tableRateLedger(table, { cluster, clock });
  });

  test('a charge takes one write unit for an idle or busy account, and so does a refusal', async () => {
    const { table: counted, counts, reset } = countingClient(table);
    const ledger = tableRateLedger(counted, { cluster: 'counted', clock: new ManualClock(2_000_000_000_000) });
    const units: number[] = [];
    for (let i = 0; i < 4; i++) {
      await ledger.charge('system:serviceaccount:monitoring:prometheus', { cost: 400, allowance: 1000 });
      units.push(counts.writeUnits);
      expect(counts.reads).toBe(0);
      reset();
    }
    expect(units).toEqual([1, 1, 1, 1]);
  });
});

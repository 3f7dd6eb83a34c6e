import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { keptSecret } from './kept-secret.ts';
import type { Table } from './port.ts';

describeOn(await startDynamoDbLocal(), 'a secret shared by processes', (endpoint) => {
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'secrets');
  });
  afterAll(async () => {
    table.close();
  });

  test("is the first caller's secret for all concurrent callers", async () => {
    let made = 0;
    const make = async (): Promise<Uint8Array> => Buffer.from(`secret ${++made}`);
    const all = await Promise.all(Array.from({ length: 8 }, () => keptSecret(table, { name: 'one', clock, make })));
    expect(new Set(all.map((one) => Buffer.from(one).toString())).size).toBe(1);
  });

  test('is created only once', async () => {
    const kept = await keptSecret(table, { name: 'two', clock, make: async () => Buffer.from('first') });
    const again = await keptSecret(table, { name: 'two', clock, make: () => Promise.reject(new Error('made again')) });
    expect([kept, again].map((one) => Buffer.from(one).toString())).toEqual(['first', 'first']);
  });
});

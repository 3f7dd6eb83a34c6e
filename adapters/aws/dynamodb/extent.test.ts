import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aConfigMap, fill } from '#test/store/fill.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { countingClient } from './counting-client.ts';
import type { Table } from './port.ts';
import { dynamoStore } from './store.ts';

const COUNT = 3_000;
const keyOf = (i: number): string => `main//configmaps/ns${i % 3}/m${String(i).padStart(5, '0')}`;

describeOn(await startDynamoDbLocal(), 'the extent of a state in DynamoDB', (endpoint) => {
  const name = `main/${randomUUID()}`;
  const open = (of: Table) => dynamoStore(of, { clock: new TestClock() }).sequence(name);
  let table: Table;
  beforeAll(async () => {
    table = await localTable(endpoint, 'extent');
    await fill(open(table), COUNT, { key: keyOf, make: (i) => aConfigMap(keyOf(i)) });
  });
  afterAll(() => table?.close());

  /** A sequence of config maps of one kilobyte, opened by a new reader, and the counts of its reads. */
  const aReader = () => {
    const { table: counted, counts, reset } = countingClient(table);
    return { sequence: open(counted), counts, reset };
  };

  test('takes half the read units of a snapshot, over several pages, and a fiftieth of the bytes', async () => {
    const { sequence, counts, reset } = aReader();
    let bytes = 0;
    for await (const { body } of (await sequence.snapshot({ prefix: 'main//' })).entries) bytes += body.length;
    const whole = { ...counts };
    reset();
    const { from, ...told } = (await sequence.extent('main//')) ?? {};
    expect(told).toEqual({ objects: COUNT, bytes });
    expect(from).toBe(await sequence.head());
    expect(counts.reads).toBeGreaterThan(2);
    expect(counts.readUnits / whole.readUnits).toBeCloseTo(0.5, 1);
    expect(counts.bytesRead).toBeLessThan(whole.bytesRead / 50);
  });

  test('is unknown if an older program stored an object without its length', async () => {
    const { sequence } = aReader();
    const { Item: item } = await table.get({ Key: { pk: { S: `state/${name}` }, sk: { S: keyOf(0) } } });
    const { l: length, ...older } = item ?? {};
    expect(Number(length?.N)).toBeGreaterThan(900);
    await table.put({ Item: older });
    expect(await sequence.extent('main//configmaps/')).toBeUndefined();
    expect(await sequence.extent('main//configmaps/ns0/')).toBeUndefined();
    expect(await sequence.extent('main//configmaps/ns1/')).toMatchObject({ objects: COUNT / 3 });
    await table.put({ Item: { ...older, d: { BOOL: true } } });
    expect(await sequence.extent('main//configmaps/')).toMatchObject({ objects: COUNT - 1 });
    await table.put({ Item: item ?? {} });
  });
});

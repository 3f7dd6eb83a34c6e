import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { objectKey } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll, type Instance } from '../support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';
import { aConfigMap, fill } from './fill.ts';

const MAPS = '/api/v1/namespaces/ns/configmaps';
/** A cost that depends on the number of objects would also show with the smaller number. */
const OBJECTS = process.env['DAVIT_FULL'] === undefined ? 1_000 : 10_000;
const name = (i: number): string => `m${String(i).padStart(5, '0')}`;
const key = (i: number): string =>
  objectKey({
    cluster: 'main',
    group: '',
    resource: 'configmaps',
    namespace: i < OBJECTS - 10 ? 'ns' : 'small',
    name: name(i),
  });

describeOn(await startDynamoDbLocal(), `read units of a type of ${OBJECTS} objects`, (endpoint) => {
  const clock = new ManualClock();
  let table: Table;

  beforeAll(async () => {
    table = await localTable(endpoint, 'size');
    await grantAll(table, clock);
    const first = anInstance(table, { clock });
    for (const namespace of ['ns', 'small']) {
      await first.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    }
    await checkpointAll(first);
    const maps = dynamoStore(table, { clock }).sequence('main//configmaps');
    await fill(maps, OBJECTS, { key, make: (i) => aConfigMap(key(i)) });
  }, 120_000);
  afterAll(() => table?.close());

  const aColdOne = async (): Promise<Instance> => {
    const instance = anInstance(table, { clock });
    await instance.request('GET', '/api/v1/namespaces/ns');
    instance.reset();
    return instance;
  };

  test('a read of one object costs at most three, whatever was read before', async () => {
    const instance = await aColdOne();
    const costs: number[] = [];
    for (let i = 0; i < 40; i++) {
      instance.reset();
      await instance.request('GET', `${MAPS}/${name((i * OBJECTS) / 50)}`);
      costs.push(instance.counts.readUnits);
    }
    const [first = 0, second = 0, third = 0, ...rest] = costs;
    expect(first).toBeLessThanOrEqual(6); // it reads the head and the end of the log
    expect(second).toBe(3);
    expect(third).toBeLessThan(30); // including one read of the type's size
    expect(new Set(rest)).toEqual(new Set([3]));
  });

  test('a write of one object reads no more than a read does', async () => {
    const instance = await aColdOne();
    for (let i = 0; i < 5; i++) await instance.request('PATCH', `${MAPS}/${name(i)}`, { data: { value: `${i}` } });
    instance.reset();
    await instance.request('PATCH', `${MAPS}/${name(7)}`, { data: { value: 'new' } });
    expect(instance.counts).toMatchObject({ readUnits: 3, writeUnits: 1 });
  });

  test('a list of one namespace costs only the objects in it', async () => {
    const instance = await aColdOne();
    const text = await instance.request('GET', '/api/v1/namespaces/small/configmaps?limit=500');
    expect(text.match(/"uid"/g)).toHaveLength(10);
    expect(instance.counts.readUnits).toBeLessThanOrEqual(12);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '#adapters/dynamodb/port.ts';
import { dynamoStore } from '#adapters/dynamodb/store.ts';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import type { User } from '#lib/authentication/user.ts';
import { objectKey } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/describe-on.ts';
import { localTable } from '../dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll, type Instance } from '../dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../dynamodb-local/start.ts';
import { aPodOn, fill } from './fill.ts';

const FRESH = { kind: 'fresh' } as const;
const name = (i: number): string => `p${String(i).padStart(4, '0')}`;
const NODES = 50;
const podKey = (i: number): string =>
  objectKey({ cluster: 'main', group: '', resource: 'pods', namespace: 'ns', name: name(i) });

describeOn(await startDynamoDbLocal(), 'read units of 1,000 pods on 50 nodes', (endpoint) => {
  const clock = new ManualClock();
  let table: Table;

  beforeAll(async () => {
    table = await localTable(endpoint, 'nodes');
    await grantAll(table, clock);
    const first = anInstance(table, { clock });
    await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'ns' } });
    const pods = dynamoStore(table, { clock }).sequence('main//pods');
    await fill(pods, 1_000, { key: podKey, make: (i) => aPodOn(`node${i % NODES}`, podKey(i)) });
    await checkpointAll(first);
  }, 120_000);
  afterAll(() => table?.close());

  const aColdOne = async (as: User): Promise<Instance> => {
    const instance = anInstance(table, { clock, as });
    await instance.server.storageOf({ group: '', resource: 'namespaces' }).list({ prefix: '', at: FRESH, limit: 1 });
    instance.reset();
    return instance;
  };

  test('a list of the pods of one node costs what is on it, in a namespace and in all, however often', async () => {
    const instance = await aColdOne(LOOPBACK);
    for (const path of ['/api/v1/pods', '/api/v1/namespaces/ns/pods', '/api/v1/pods', '/api/v1/pods?limit=500&']) {
      instance.reset();
      const text = await instance.request(
        'GET',
        `${path}${path.includes('?') ? '' : '?'}fieldSelector=spec.nodeName%3Dnode7`,
      );
      expect(text.match(/"nodeName":"node7"/g)).toHaveLength(20);
      expect(instance.counts.readUnits).toBeLessThanOrEqual(30);
    }
  });

  test('the node authorizer of a cold instance reads the pods of its node', async () => {
    const instance = await aColdOne({ name: 'system:node:node7', groups: ['system:nodes', 'system:authenticated'] });
    const asked = await instance.ask('GET', '/api/v1/namespaces/ns/configmaps/of-node7');
    expect(asked.status).toBe(404);
    expect(instance.counts.readUnits).toBeLessThanOrEqual(35);
    const refused = await instance.ask('GET', '/api/v1/namespaces/ns/configmaps/of-node8');
    expect(refused.status).toBe(403);
  });

  test('the dependents of an owner cost one, and three for each that is read again', async () => {
    const store = dynamoStore(table, { clock });
    expect(await store.dependents('main', 'owner-of-node7')).toHaveLength(20);
    const instance = await aColdOne(LOOPBACK);
    await instance.request('GET', `/api/v1/namespaces/ns/pods/${name(7)}`);
    instance.reset();
    await instance.request('GET', `/api/v1/namespaces/ns/pods/${name(57)}`);
    expect(instance.counts.readUnits).toBe(3);
  });
});

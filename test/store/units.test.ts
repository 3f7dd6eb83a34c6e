import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { UNITS, type Units } from '../../scripts/cost/units.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll, type Instance } from '../support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';

const MAPS = '/api/v1/namespaces/ns/configmaps';
const CRONTABS = '/apis/example.com/v1/namespaces/ns/crontabs';
const A_SECOND = 1_001;

const aMap = (name: string, value = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});
const aCronTab = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name }, spec: {} });

const definition = simpleDefinition({ group: 'example.com', plural: 'crontabs', kind: 'CronTab' });

const established = {
  status: {
    acceptedNames: definition.spec.names,
    conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True', reason: 'x', message: '' })),
    storedVersions: ['v1'],
  },
};

describeOn(await startDynamoDbLocal(), 'units of DynamoDB', (endpoint) => {
  const clock = new ManualClock();
  let table: Table;
  let writes = 0;

  beforeAll(async () => {
    table = await localTable(endpoint, 'units');
    await grantAll(table, clock);
    const first = anInstance(table, { clock });
    await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'ns' } });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await first.request('POST', definitions, definition);
    await first.request('PATCH', `${definitions}/crontabs.example.com/status`, established);
    await first.request('POST', MAPS, aMap('one'));
    await first.request('POST', CRONTABS, aCronTab('one'));
    await checkpointAll(first);
  });
  afterAll(async () => {
    table?.close();
  });

  /** An instance that has already served all of this a moment ago. */
  const aWarmOne = async (): Promise<Instance> => {
    const instance = anInstance(table, { clock });
    for (const path of [MAPS, CRONTABS]) {
      await instance.request('GET', path);
      for (let i = 0; i < 3; i++) await instance.request('GET', `${path}/one`);
    }
    await instance.request('PATCH', `${MAPS}/one`, { data: { value: `warm ${++writes}` } });
    return instance;
  };

  const unitsOf = ({ counts: { reads, readUnits, writes: written, writeUnits } }: Instance): Units => ({
    reads,
    readUnits,
    writes: written,
    writeUnits,
  });

  type Act = (instance: Instance) => Promise<unknown>;
  const get: Act = (instance) => instance.request('GET', `${MAPS}/one`);
  const unique = (): string => `u${++writes}`;

  test('every request is within its promised units', () => {
    for (const name of ['warm get', 'warm list', 'warm get of a custom resource'] as const) {
      expect(UNITS[name].reads + UNITS['look at control'].reads).toBeLessThanOrEqual(2);
      expect(UNITS[name].writes).toBe(0);
    }
    for (const name of ['warm create', 'warm update', 'warm patch', 'warm delete'] as const) {
      expect(UNITS[name].reads + UNITS['look at control'].reads).toBeLessThanOrEqual(2);
      expect(UNITS[name].writes).toBe(1);
    }
    expect(UNITS['cold get'].reads).toBeLessThanOrEqual(5);
  });

  test.each<[keyof typeof UNITS, Act]>([
    ['warm get', get],
    ['warm list', (instance) => instance.request('GET', MAPS)],
    ['warm get of a custom resource', (instance) => instance.request('GET', `${CRONTABS}/one`)],
    ['warm create', (instance) => instance.request('POST', MAPS, aMap(unique()))],
    ['warm update', (instance) => instance.request('PUT', `${MAPS}/one`, aMap('one', unique()))],
    ['warm patch', (instance) => instance.request('PATCH', `${MAPS}/one`, { data: { value: unique() } })],
    ['warm update that changes nothing', (instance) => instance.request('PATCH', `${MAPS}/one`, {})],
  ])('a %s is as promised', async (name, act) => {
    const instance = await aWarmOne();
    instance.reset();
    await act(instance);
    expect(unitsOf(instance)).toEqual(UNITS[name]);
  });

  test('a warm delete is as promised', async () => {
    const instance = await aWarmOne();
    await instance.request('POST', MAPS, aMap('gone'));
    instance.reset();
    await instance.request('DELETE', `${MAPS}/gone`);
    expect(unitsOf(instance)).toEqual(UNITS['warm delete']);
  });

  test('reads control at most once a second, for any requests', async () => {
    const instance = await aWarmOne();
    instance.reset();
    clock.advance(A_SECOND);
    await get(instance);
    const first = unitsOf(instance);
    for (let i = 0; i < 5; i++) await get(instance);
    const later = unitsOf(instance);
    expect(later.reads - first.reads).toBe(5 * UNITS['warm get'].reads);
    expect(first.reads - UNITS['warm get'].reads).toBe(UNITS['look at control'].reads);
    expect(first.readUnits - UNITS['warm get'].readUnits).toBe(UNITS['look at control'].readUnits);
  });

  test('a cold get is as promised', async () => {
    const busy = anInstance(table, { clock });
    await get(busy);
    await busy.request('PATCH', `${MAPS}/one`, { data: { value: unique() } });
    await checkpointAll(busy);
    const instance = anInstance(table, { clock });
    const control = instance.server.storageOf({ group: '', resource: 'namespaces' });
    await control.list({ prefix: '', at: { kind: 'fresh' }, limit: 1, outlines: true });
    expect(unitsOf(instance)).toEqual(UNITS['load of control']);
    instance.reset();
    await get(instance);
    expect(unitsOf(instance)).toEqual(UNITS['cold get']);
  });

  test('a cold get of a custom resource includes its definition', async () => {
    const instance = anInstance(table, { clock });
    await get(instance);
    instance.reset();
    await instance.request('GET', `${CRONTABS}/one`);
    expect(unitsOf(instance)).toEqual(UNITS['cold get of a custom resource']);
  });

  test('counts the units of a checkpoint, in total and per change', async () => {
    const instance = await aWarmOne();
    const sequence = instance.store.sequence('main//configmaps');
    const of = async (changes: number): Promise<Units> => {
      for (let i = 0; i < changes; i++) await instance.request('POST', MAPS, aMap(unique()));
      instance.reset();
      await sequence.compact();
      return unitsOf(instance);
    };
    await of(1);
    const [one, three] = [await of(1), await of(3)];
    expect(one).toEqual(UNITS['checkpoint of one change']);
    expect(three.reads).toBe(one.reads);
    expect((three.writes - one.writes) / 2).toBe(UNITS['checkpoint, each further change'].writes);
    expect((three.writeUnits - one.writeUnits) / 2).toBe(UNITS['checkpoint, each further change'].writeUnits);
  });
});

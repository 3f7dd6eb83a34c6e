import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { LOOPBACK } from '#functions/apiserver/loopback.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { FOLLOWED } from '#lib/server/channel/followed-types.ts';
import { decodeLook } from '#lib/server/channel/look.ts';
import { objectKey } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { eventually } from '#test/support/eventually.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll, type Instance } from '../support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';
import { aPodOn, fill } from './fill.ts';

const FRESH = { kind: 'fresh' } as const;
const name = (i: number): string => `p${String(i).padStart(4, '0')}`;
/** A cost that depends on the number of nodes would also show with the smaller number. */
const PODS = process.env['DAVIT_FULL'] === undefined ? 1_000 : 10_000;
const NODES = PODS / 20;
/** The read units of a point read. */
const NODE = 3;
const podKey = (i: number): string =>
  objectKey({ cluster: 'main', group: '', resource: 'pods', namespace: 'ns', name: name(i) });

describeOn(await startDynamoDbLocal(), `read units of ${PODS} pods on ${NODES} nodes`, (endpoint) => {
  const clock = new ManualClock();
  let table: Table;

  beforeAll(async () => {
    table = await localTable(endpoint, 'nodes');
    await grantAll(table, clock);
    const first = anInstance(table, { clock });
    await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'ns' } });
    await first.request('POST', '/api/v1/nodes', { metadata: { name: 'node7' } });
    const pods = dynamoStore(table, { clock }).sequence('main//pods');
    await fill(pods, PODS, { key: podKey, make: (i) => aPodOn(`node${i % NODES}`, podKey(i)) });
    await checkpointAll(first);
  }, 600_000);
  afterAll(() => table?.close());

  const aColdOne = async (as: User): Promise<Instance> => {
    const instance = anInstance(table, { clock, as });
    await instance.server.storageOf({ group: '', resource: 'namespaces' }).list({ prefix: '', at: FRESH, limit: 1 });
    instance.reset();
    return instance;
  };

  test('a list of the pods of one node costs only these pods, in one or all namespaces, each time', async () => {
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

  test('a poll of a node costs its objects, its Node and the heads of five logs if nothing changed', async () => {
    const instance = await aColdOne({ name: 'system:node:node7', groups: ['system:nodes', 'system:authenticated'] });
    const look = '/apis/node.davit.dev/v1/nodes/node7/look';
    const first = decodeLook(JSON.parse(await instance.request('GET', look)));
    expect(Object.keys(first.pods.objects ?? {})).toHaveLength(20);
    expect(first.nodes?.version).toMatch(/^\d+$/);
    expect(instance.counts.readUnits).toBeLessThanOrEqual(40 + NODE);
    instance.reset();
    const known = new URLSearchParams(Object.fromEntries(FOLLOWED.map((type) => [type, first[type]?.version ?? '0'])));
    const second = decodeLook(JSON.parse(await instance.request('GET', `${look}?${known.toString()}`)));
    expect(second.pods).toEqual({ version: first.pods.version });
    expect(instance.counts.readUnits).toBeLessThanOrEqual(5 + NODE);
  });

  test('a watch of the pods of one node reads only these pods, and former states only of these', async () => {
    const instance = await aColdOne(LOOPBACK);
    const writer = await aColdOne(LOOPBACK);
    const say = (pod: string, message: string): Promise<string> =>
      writer.request('PATCH', `/api/v1/namespaces/ns/pods/${pod}/status`, { status: { message } });
    const controller = new AbortController();
    const events = eventsOf(instance, 'fieldSelector=spec.nodeName%3Dnode7', controller.signal);
    for (let i = 0; i < 20; i++) expect(await events.next()).toMatchObject({ value: { type: 'ADDED' } });
    expect(instance.counts.readUnits).toBeLessThanOrEqual(30);
    const changed = events.next();
    await eventually(() => expect(instance.counts.readUnits).toBeGreaterThanOrEqual(25));
    instance.reset();
    for (let i = 0; i < 6; i++) await say(name(8 + NODES * i), 'others');
    await say(name(7), 'own');
    let isOver = false;
    void changed.then(() => (isOver = true));
    await eventually(() => (clock.advance(1_000), isOver));
    expect(await changed).toMatchObject({ value: { type: 'MODIFIED', object: { metadata: { name: name(7) } } } });
    expect(instance.counts.readUnits).toBeLessThanOrEqual(4);
    controller.abort();
    await events.return();
    await checkpointAll(writer);
  });

  test('the dependents of an owner cost one, and three for each that is read again', async () => {
    const store = dynamoStore(table, { clock });
    expect(await store.dependents('main', 'owner-of-node7')).toHaveLength(20);
    const instance = await aColdOne(LOOPBACK);
    await instance.request('GET', `/api/v1/namespaces/ns/pods/${name(7)}`);
    instance.reset();
    await instance.request('GET', `/api/v1/namespaces/ns/pods/${name(NODES + 7)}`);
    expect(instance.counts.readUnits).toBe(3);
  });
});

/** The events of a watch of pods. */
async function* eventsOf({ server }: Instance, query: string, signal: AbortSignal): AsyncGenerator<unknown, void> {
  const { body } = await server.handle({
    method: 'GET',
    path: '/api/v1/pods',
    query: new URLSearchParams(`watch=1&${query}`),
    headers: { authorization: 'Bearer known-to-tests', accept: 'application/json' },
    body: async () => new Uint8Array(),
    signal: () => signal,
  });
  if (typeof body === 'string' || body instanceof Uint8Array) throw new TypeError(`no stream: ${String(body)}`);
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

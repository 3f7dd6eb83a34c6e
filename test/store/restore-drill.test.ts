import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTable } from '#adapters/aws/dynamodb/connect.ts';
import { createTable } from '#adapters/aws/dynamodb/create-table.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import { Reflector } from '#lib/client/controller/reflector.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { exportLines } from '#lib/server/backup/export.ts';
import { importLines } from '#lib/server/backup/import.ts';
import { raiseEpochs } from '#lib/server/backup/restore.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { EPOCH } from '#lib/storage/sequence.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localClient } from '#test/support/dynamodb-local/fixture.ts';
import { anInstance, grantAll, type Instance } from '#test/support/dynamodb-local/instance.ts';
import { scanAll } from '#test/support/dynamodb-local/new-table.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { eventually } from '#test/support/eventually.ts';
import { NAMES, World } from '#test/support/stream/world.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const NUMBERS = Array.from({ length: 40 }, (_, i) => i);

describeOn(await startDynamoDbLocal(), 'a table after a restore', (endpoint) => {
  let client: DynamoDBClient;
  beforeAll(() => {
    client = localClient(endpoint);
  });
  afterAll(() => {
    client.destroy();
  });

  async function tableNamed(name: string) {
    await createTable(client, name);
    return connectTable(client, name);
  }

  /** Simulates a point-in-time restore: creates another table with the items of that moment. */
  async function copied(from: string, to: string) {
    const table = await tableNamed(to);
    const left = await scanAll(client, from);
    while (left.length > 0) {
      const put = left.splice(0, 25).map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [to]: put } }));
    }
    return table;
  }

  /** Config maps 0 to 39. Every fourth was changed, and every fifth was deleted. */
  async function filled(instance: Instance): Promise<void> {
    await instance.request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    for (const i of NUMBERS)
      await instance.request('POST', MAPS, { metadata: { name: `m${i}` }, data: { at: 'first' } });
    for (const i of NUMBERS) {
      if (i % 5 === 0) await instance.request('DELETE', `${MAPS}/m${i}`);
      else if (i % 4 === 0) await instance.request('PATCH', `${MAPS}/m${i}`, { data: { at: 'second' } });
    }
  }
  const wanted = Object.fromEntries(
    NUMBERS.filter((i) => i % 5 !== 0).map((i) => [`m${i}`, i % 4 === 0 ? 'second' : 'first']),
  );

  /** After the moment to restore, a user deletes the existing objects and creates others. */
  async function wreck(instance: Instance): Promise<void> {
    for (const name of Object.keys(wanted)) await instance.request('DELETE', `${MAPS}/${name}`);
    await instance.request('POST', MAPS, { metadata: { name: 'wreck' } });
  }

  /** An informer that outlives servers. Its next request is sent to `server.now`. */
  function informer(server: { now: Instance }) {
    const stop = new AbortController();
    const [seen, faults] = [new Map<string, string>(), new Array<unknown>()];
    let version = 0;
    const handle = (request: ApiRequest) => server.now.server.handle(request);
    const reflector = new Reflector({
      resource: CONFIG_MAPS,
      from: listWatch({ handle, token: 'known-to-tests', userAgent: 'drill' }, CONFIG_MAPS, 'default'),
      clock,
      random: () => 0,
      deliver: (change) => {
        const object = change.object();
        const own = stringAt(objectAt(object, 'metadata'), 'resourceVersion');
        if (change.type !== 'DELETED') version = Math.max(version, Number(own));
        if (change.type === 'DELETED') seen.delete(change.name);
        else seen.set(change.name, stringAt(objectAt(object, 'data'), 'at') ?? '');
      },
      listed: () => undefined,
      onFault: (error) => void faults.push(error),
      signal: stop.signal,
    });
    const ended = reflector.run();
    const sees = (expected: Record<string, string>): Promise<void> => {
      const text = (of: object): string => JSON.stringify(Object.entries(of).sort());
      return eventually(
        () => text(Object.fromEntries(seen)) === text(expected),
        () => `sees ${[...seen.keys()].join()}`,
      );
    };
    const close = async () => {
      stop.abort();
      await ended;
    };
    return { sees, faults, newest: () => version, close };
  }

  /** Triggers a doorbell once, and returns the names of the objects whose changes it delivered. */
  async function rung({ store }: Instance): Promise<string[]> {
    const { bus, queue, deadLetters } = new World();
    const parts = { store, bus, queue, deadLetters, clock, clusterId: 'drill', publish: [], reconcilers: [NAMES] };
    const outcome = await buildStream(parts).handle({ ringAll: true }, { hasTime: () => true });
    expect(outcome).toMatchObject({ lag: 0, faults: [] });
    return queue.taken.map(({ name }) => name).filter((name) => /^(m\d+|wreck|late|after)$/.test(name));
  }

  async function goesOn(restored: Instance, former: Instance): Promise<void> {
    const server = { now: former };
    const follower = informer(server);
    await follower.sees({ wreck: '' });
    const before = follower.newest();
    const stale = await restored.ask('GET', `${MAPS}?watch=1&resourceVersion=${before}&timeoutSeconds=5`);
    expect(JSON.parse(stale.text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });

    server.now = restored;
    await former.server.close();
    await follower.sees({ ...wanted, late: '' });
    await restored.request('POST', MAPS, { metadata: { name: 'after' } });
    await follower.sees({ ...wanted, late: '', after: '' });
    expect(follower.newest()).toBeGreaterThan(before + EPOCH / 2);
    await restored.request('PATCH', `${MAPS}/m1`, { data: { at: 'third' } });
    await follower.sees({ ...wanted, late: '', after: '', m1: 'third' });
    await follower.close();
    await restored.server.close();
  }

  test('goes on where it was at that moment, and tells reconcilers what they were not told', async () => {
    const former = await tableNamed('drill-former');
    await grantAll(former, clock);
    const first = anInstance(former, { clock });
    await filled(first);
    expect(await rung(first)).toEqual(expect.arrayContaining(Object.keys(wanted)));
    await first.request('POST', MAPS, { metadata: { name: 'late' } });
    const restored = await copied('drill-former', 'drill-restored');
    await wreck(first);
    await first.request('DELETE', `${MAPS}/late`);

    expect(await raiseEpochs(dynamoStore(restored, { clock }))).toBe(2);
    const second = anInstance(restored, { clock });
    const told = await rung(second);
    expect(told).toEqual(expect.arrayContaining([...Object.keys(wanted), 'late']));
    expect(told).not.toContain('wreck');
    await goesOn(second, first);
  });

  test('continues from an export that another table imports', async () => {
    const former = await tableNamed('drill-exported');
    await grantAll(former, clock);
    const first = anInstance(former, { clock });
    await filled(first);
    await first.request('POST', MAPS, { metadata: { name: 'late' } });
    const lines = await Array.fromAsync(exportLines(dynamoStore(former, { clock }), { secrets: true }));
    await wreck(first);
    await first.request('DELETE', `${MAPS}/late`);

    const other = await tableNamed('drill-imported');
    await importLines(dynamoStore(other, { clock }), asStream(lines.join('').split('\n').filter(Boolean)), clock);
    await goesOn(anInstance(other, { clock }), first);
  });
});

async function* asStream(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

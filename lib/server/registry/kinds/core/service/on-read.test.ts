import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICES } from '#lib/api/types/resources.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';

const KEY = `${DEFAULT_CLUSTER}//services/here/alias`;
const REF = { resource: SERVICES, namespace: 'here', name: 'alias' };

let world: World;
beforeAll(async () => {
  world = new World();
  await aNamespace(world);
  for (const name of ['alias', 'plain'])
    await world.user.create(SERVICES, {
      metadata: { name, namespace: 'here' },
      spec: name === 'alias' ? { type: 'ExternalName', externalName: 'example.com' } : { ports: [{ port: 80 }] },
    });
  await storeWithPolicy();
});
afterAll(() => world.close());

const storage = () => world.server.storageOf({ group: '', resource: 'services' });
const storedText = async (): Promise<string> =>
  Buffer.from((await storage().get(KEY, { kind: 'fresh' }))?.body ?? '').toString();

/** Stores a service like earlier versions of the server, with a policy that its type does not need. */
async function storeWithPolicy(): Promise<void> {
  await storage().mutate(KEY, (stored) => {
    if (stored === undefined) throw new Error('the service is not stored');
    const text = Buffer.from(stored.body).toString().replace('"type":', '"internalTrafficPolicy":"Cluster","type":');
    return { action: 'put', body: Buffer.from(text), summary: stored.summary, result: undefined };
  });
}

const policy = (service: JsonObject | undefined): unknown => objectAt(service, 'spec')?.['internalTrafficPolicy'];

test.each<[string, () => Promise<unknown>, unknown]>([
  ['a GET', async () => policy(await world.user.get(REF)), undefined],
  ['a list', async () => (await world.user.list(SERVICES, { namespace: 'here' })).map(policy), [undefined, 'Cluster']],
])(
  '%s drops internalTrafficPolicy of a stored ExternalName service, and keeps that of others',
  async (_, read, expected) => {
    expect(await storedText()).toContain('"internalTrafficPolicy":"Cluster"');
    expect(await read()).toEqual(expected);
  },
);

test('a write of the unchanged service stores it without the field', async () => {
  const live = await world.user.get(REF);
  await world.user.update(REF, { ...live, apiVersion: apiVersion(SERVICES), kind: 'Service' });
  expect(await storedText()).not.toContain('internalTrafficPolicy');
});

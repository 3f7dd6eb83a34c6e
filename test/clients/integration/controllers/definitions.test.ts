import { describe, expect, test } from 'vitest';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { apiServiceController } from '#lib/controllers/api-service/reconcile.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { conditionOf, conditionTrue } from '#lib/server/apiextensions/conditions.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { DEFINITIONS, definition, refOf, WIDGETS } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const API_SERVICES = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
const make: Reconcilers = (client, clock) => [apiextensionsController(client, clock), apiServiceController(client)];

const read = async (world: World, plural: string): Promise<JsonObject> =>
  (await world.user.get(refOf(DEFINITIONS, '', `${plural}.example.com`))) ?? {};
const established = async (world: World, plural: string): Promise<boolean> =>
  conditionTrue(await read(world, plural), 'Established');
const remove = (world: World, plural: string): Promise<void> =>
  world.user.delete(refOf(DEFINITIONS, '', `${plural}.example.com`));
const added = (crd: JsonObject): ObjectChange => ({
  type: 'ADDED',
  group: DEFINITIONS.group,
  resource: DEFINITIONS.resource,
  namespace: '',
  name: nameOf(crd),
  ownerReferences: [],
  mentions: () => false,
  object: () => crd,
});
const serves = async (world: World): Promise<boolean> =>
  (await world.user.list(API_SERVICES)).some((service) => nameOf(service) === 'v1.example.com');

describe('two definitions that claim the same kind', () => {
  const rivals = async (world: World): Promise<void> => {
    await world.user.create(DEFINITIONS, definition('widgets', 'Widget'));
    await world.user.create(DEFINITIONS, definition('gadgets', 'Widget'));
  };

  test('are not both accepted, even if they are processed concurrently', async () => {
    const world = new World();
    await rivals(world);
    const controller = apiextensionsController(world.user, world.clock);
    for (const crd of await world.user.list(DEFINITIONS)) {
      controller.keys(added(crd));
    }
    await Promise.all(['widgets', 'gadgets'].map((plural) => controller.reconcile(`${plural}.example.com`)));
    expect([await established(world, 'widgets'), await established(world, 'gadgets')].sort()).toEqual([false, true]);
    await world.close();
  });

  test('are accepted one after the other, no matter when the controllers are killed', async () => {
    const kills = await surviveEveryCrash({
      make,
      async prepare(world) {
        await rivals(world);
        await world.run(make);
        const [first = ''] = (await established(world, 'widgets')) ? ['widgets'] : ['gadgets'];
        await remove(world, first);
      },
      async check(world) {
        const left = await world.user.list(DEFINITIONS);
        expect(left.map((crd) => conditionTrue(crd, 'Established'))).toEqual([true]);
        expect(await serves(world)).toBe(true);
        expect(world.faults).toEqual([]);
      },
    });
    expect(kills).toBeGreaterThan(3);
  });

  test('a holder whose events were missed holds no name', async () => {
    const world = new World();
    await rivals(world);
    const controller = apiextensionsController(world.user, world.clock);
    const [widgets, gadgets] = [await read(world, 'widgets'), await read(world, 'gadgets')];
    for (const crd of [widgets, gadgets]) {
      controller.keys(added(crd));
    }
    await controller.reconcile('widgets.example.com');
    await world.run(make);
    await remove(world, 'widgets');
    await world.run((client, clock) => [apiextensionsController(client, clock)]);
    await controller.reconcile('gadgets.example.com');
    expect(await established(world, 'gadgets')).toBe(true);
    await world.close();
  });
});

test('frees a name that a definition releases', async () => {
  const world = new World();
  for (const [plural, kind] of [
    ['widgets', 'Widget'],
    ['gadgets', 'Gadget'],
  ] as const) {
    const crd = definition(plural, kind);
    const spec = objectAt(crd, 'spec');
    await world.user.create(DEFINITIONS, {
      ...crd,
      spec: { ...spec, names: { ...objectAt(spec, 'names'), shortNames: ['w'] } },
    });
    await world.run(make);
  }
  expect(conditionOf(await read(world, 'gadgets'), 'NamesAccepted')).toMatchObject({ reason: 'ShortNamesConflict' });
  await world.user.patch(refOf(DEFINITIONS, '', 'widgets.example.com'), { spec: { names: { shortNames: null } } });
  await world.run(make);
  expect(await established(world, 'gadgets')).toBe(true);
  await world.close();
});

test('deletes the objects and API service of a deleted definition, no matter when the controllers are killed', async () => {
  await surviveEveryCrash({
    make,
    async prepare(world) {
      await world.user.create(DEFINITIONS, definition('widgets', 'Widget', 'Cluster'));
      await world.run(make);
      await world.user.create(WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } });
      await remove(world, 'widgets');
    },
    async check(world) {
      expect(await world.user.list(DEFINITIONS)).toEqual([]);
      expect(await serves(world)).toBe(false);
      expect(world.faults).toEqual([]);
    },
  });
});

test('a new process writes nothing in a settled world', async () => {
  const world = new World();
  await world.user.create(DEFINITIONS, definition('widgets', 'Widget'));
  await world.run(make);
  expect(await serves(world)).toBe(true);
  await expectSettled(world, make);
  await world.run((client, clock) => {
    const refused = { ...client, get: () => Promise.reject(new Error('a look')) };
    return [apiextensionsController(refused, clock)];
  });
  expect(world.faults).toEqual([]);
  await world.close();
});

test("a deleted definition in a built-in group deletes none of the group's own objects with it", async () => {
  const world = new World();
  const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
  const spec = { ...objectAt(definition('clusterroles', 'ClusterRole', 'Cluster'), 'spec'), group: roles.group };
  const annotations = { 'api-approved.kubernetes.io': 'https://example.com/1' };
  const own = refOf(DEFINITIONS, '', `clusterroles.${roles.group}`);
  await world.user.create(roles, { metadata: { name: 'reader' }, rules: [] });
  await world.user.create(DEFINITIONS, { metadata: { name: own.name, annotations }, spec });
  await world.run(make);
  expect(conditionTrue((await world.user.get(own)) ?? {}, 'Established')).toBe(true);
  await world.user.delete(own);
  await world.run(make);
  expect(await world.user.get(own)).toBeUndefined();
  expect((await world.user.list(roles)).map(nameOf)).toEqual(['reader']);
  await world.close();
});

import { describe, expect, test } from 'vitest';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { DeleteRequest } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { listedDependents } from '#lib/controllers/garbage-collector/listed-dependents.ts';
import { garbageCollector } from '#lib/controllers/garbage-collector/reconcile.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, ownerReferencesOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, DEFINITIONS, definition, NAMESPACES, refOf, WIDGETS } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [garbageCollector(client, clock)];
const CONFIG_MAPS = core('configmaps');
const VOLUMES = core('persistentvolumes');
const ref = (name: string, namespace = 'default') => refOf(CONFIG_MAPS, namespace, name);

async function aWorld(): Promise<World> {
  const world = new World();
  for (const name of ['default', 'other']) await world.user.create(NAMESPACES, { metadata: { name } });
  return world;
}

interface Owned {
  readonly owners?: readonly JsonObject[];
  readonly namespace?: string;
  readonly block?: boolean;
  readonly finalizers?: string[];
}

const reference = (owner: JsonObject, block = true): JsonObject => ({
  apiVersion: String(owner['apiVersion']),
  kind: String(owner['kind']),
  name: String((owner['metadata'] as JsonObject)['name']),
  uid: uidOf(owner),
  blockOwnerDeletion: block,
});

function aConfigMap(
  world: World,
  name: string,
  { owners = [], namespace = 'default', block = true, finalizers = [] }: Owned = {},
) {
  const ownerReferences = owners.map((owner) => reference(owner, block));
  return world.user.create(CONFIG_MAPS, { metadata: { name, namespace, ownerReferences, finalizers } });
}

async function names(world: World): Promise<string[]> {
  return (await world.user.list(CONFIG_MAPS))
    .map((object) => String((object['metadata'] as JsonObject)['name']))
    .sort();
}

/** An owner, two dependents, and a dependent of one of them. */
async function aFamily(world: World): Promise<void> {
  const owner = await aConfigMap(world, 'owner');
  const child = await aConfigMap(world, 'child-1', { owners: [owner] });
  await aConfigMap(world, 'child-2', { owners: [owner], block: false });
  await aConfigMap(world, 'grandchild', { owners: [child] });
  await aConfigMap(world, 'stranger');
}

test('does not read an owner that its own events show', async () => {
  const world = await aWorld();
  const owner = await aConfigMap(world, 'owner');
  const middle = await aConfigMap(world, 'middle', { owners: [owner] });
  for (const name of ['a', 'b', 'c']) await aConfigMap(world, name, { owners: [middle] });
  const asked: string[] = [];
  const client = world.newClient('collector');
  await world.run(make, {
    ...client,
    get: (one, options) => (asked.push(one.name), client.get(one, options)),
  });
  expect(asked).toEqual(['owner']);
});

describe('an owner is deleted', () => {
  test.each<[string, DeleteRequest, string[]]>([
    ['in the background: all below it go', { propagationPolicy: 'Background' }, ['stranger']],
    ['in the foreground: all below it go', { propagationPolicy: 'Foreground' }, ['stranger']],
    ['orphaning: all below it stay', { propagationPolicy: 'Orphan' }, ['child-1', 'child-2', 'grandchild', 'stranger']],
    ['by the default: all below it go', {}, ['stranger']],
  ])('and its dependents follow the policy: %s', async (_name, request, expected) => {
    const world = await aWorld();
    await aFamily(world);
    await world.user.delete(ref('owner'), request);
    await world.run(make);
    expect(await names(world)).toEqual(expected);
    await expectSettled(world, make);
    expect(world.faults).toEqual([]);
  });

  test.each<DeleteRequest['propagationPolicy']>(['Background', 'Foreground', 'Orphan'])(
    '%s, wherever the collector is killed',
    async (propagationPolicy) => {
      const kills = await surviveEveryCrash({
        make,
        async prepare(world) {
          for (const name of ['default', 'other']) await world.user.create(NAMESPACES, { metadata: { name } });
          await aFamily(world);
          await world.user.delete(ref('owner'), { propagationPolicy: propagationPolicy ?? 'Background' });
        },
        async check(world) {
          const all = propagationPolicy === 'Orphan' ? ['child-1', 'child-2', 'grandchild', 'stranger'] : ['stranger'];
          expect(await names(world)).toEqual(all);
        },
      });
      expect(kills).toBeGreaterThan(3);
    },
  );

  test('while the collector already knows its dependents', async () => {
    const world = await aWorld();
    await aFamily(world);
    const user: Reconcilers = (client, clock) => {
      const collector = garbageCollector(client, clock);
      let deleted = false;
      return [
        {
          ...collector,
          async reconcile(key) {
            const result = await collector.reconcile(key);
            if (!deleted) {
              deleted = true;
              await world.user.delete(ref('owner'));
            }
            return result;
          },
        },
      ];
    };
    await world.run(user);
    expect(await names(world)).toEqual(['stranger']);
  });

  test('a foreground deletion waits only for dependents that block it', async () => {
    const world = await aWorld();
    const owner = await aConfigMap(world, 'owner');
    await aConfigMap(world, 'blocks', { owners: [owner], finalizers: ['a.b/c'] });
    await aConfigMap(world, 'free', { owners: [owner], finalizers: ['a.b/c'], block: false });
    await world.user.delete(ref('owner'), { propagationPolicy: 'Foreground' });
    await world.run(make);
    expect(await names(world)).toEqual(['blocks', 'free', 'owner']);
    await world.user.patch(ref('blocks'), { metadata: { finalizers: null } });
    await world.run(make);
    expect(await names(world)).toEqual(['free']);
  });

  test('and orphaning leaves no owner reference', async () => {
    const world = await aWorld();
    await aFamily(world);
    await world.user.delete(ref('owner'), { propagationPolicy: 'Orphan' });
    await world.run(make);
    expect((await world.user.get(ref('child-1')))?.['metadata']).not.toHaveProperty('ownerReferences');
    expect(ownerReferencesOf((await world.user.get(ref('grandchild'))) as JsonObject)).toHaveLength(1);
  });

  test('and a cycle of foreground deletions is deleted completely', async () => {
    const world = await aWorld();
    const a = await aConfigMap(world, 'a');
    const b = await aConfigMap(world, 'b', { owners: [a] });
    const c = await aConfigMap(world, 'c', { owners: [b] });
    await world.user.patch(ref('a'), { metadata: { ownerReferences: [reference(c)] } });
    await world.user.delete(ref('a'), { propagationPolicy: 'Foreground' });
    await world.run(make);
    expect(await names(world)).toEqual([]);
  });
});

describe('an object with several owners', () => {
  test('is kept by the remaining owner, without the reference to the deleted one', async () => {
    const world = await aWorld();
    const [a, b] = [await aConfigMap(world, 'a'), await aConfigMap(world, 'b')];
    await aConfigMap(world, 'd', { owners: [a, b] });
    await world.user.delete(ref('a'));
    await world.run(make);
    const left = ownerReferencesOf((await world.user.get(ref('d'))) as JsonObject);
    expect(left.map(({ uid }) => uid)).toEqual([uidOf(b)]);
    await expectSettled(world, make);
  });

  test('does not block the foreground deletion of one owner if another owner keeps it', async () => {
    const world = await aWorld();
    const [a, b] = [await aConfigMap(world, 'a'), await aConfigMap(world, 'b')];
    await aConfigMap(world, 'd', { owners: [a, b] });
    await world.user.delete(ref('a'), { propagationPolicy: 'Foreground' });
    await world.run(make);
    expect(await names(world)).toEqual(['b', 'd']);
  });

  test('is deleted with its last owner', async () => {
    const world = await aWorld();
    const [a, b] = [await aConfigMap(world, 'a'), await aConfigMap(world, 'b')];
    await aConfigMap(world, 'd', { owners: [a, b] });
    await world.user.delete(ref('a'));
    await world.user.delete(ref('b'));
    await world.run(make);
    expect(await names(world)).toEqual([]);
  });
});

describe('a dependent whose owner does not exist', () => {
  const absent: JsonObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'absent', uid: 'nobody' } };

  test.each<[string, (owner: JsonObject) => JsonObject, Owned, string[]]>([
    ['never was', () => absent, {}, ['owner']],
    ['has another uid', (owner) => ({ ...owner, metadata: { name: 'owner', uid: 'other' } }), {}, ['owner']],
    ['is in another namespace', (owner) => owner, { namespace: 'other' }, ['owner']],
    ['has another name', (owner) => ({ ...owner, metadata: { name: 'wrong', uid: uidOf(owner) } }), {}, ['owner']],
    ['is there', (owner) => owner, {}, ['d', 'owner']],
    ['is of a kind that nothing serves', (owner) => ({ ...owner, kind: 'Nothing' }), {}, ['d', 'owner']],
    ['is of a version that nothing serves', (owner) => ({ ...owner, apiVersion: 'a.b/v1' }), {}, ['d', 'owner']],
  ])('because the owner %s', async (_name, as, options, expected) => {
    const world = await aWorld();
    const owner = await aConfigMap(world, 'owner');
    await aConfigMap(world, 'd', { ...options, owners: [as(owner)] });
    await world.run(make);
    expect(await names(world)).toEqual(expected);
  });

  test('stays if the owner is cluster-scoped and the dependent is in a namespace', async () => {
    const world = await aWorld();
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
    await world.user.create(VOLUMES, { metadata: { name: 'v', ownerReferences: [reference(absent)] }, spec });
    await world.run(make);
    expect(await world.user.list(VOLUMES)).toHaveLength(1);
  });

  test('was deleted while its dependent was being created', async () => {
    const world = await aWorld();
    const owner = await aConfigMap(world, 'owner');
    await world.user.delete(ref('owner'));
    await world.run(make);
    await aConfigMap(world, 'd', { owners: [owner] });
    await world.run(make);
    expect(await names(world)).toEqual([]);
  });

  test('was recreated under its name: deletes the dependent of the first, keeps that of the second', async () => {
    const world = await aWorld();
    const first = await aConfigMap(world, 'owner');
    await aConfigMap(world, 'old', { owners: [first] });
    await world.user.delete(ref('owner'));
    const second = await aConfigMap(world, 'owner');
    await aConfigMap(world, 'new', { owners: [second] });
    await world.run(make);
    expect(await names(world)).toEqual(['new', 'owner']);
  });
});

describe('the event OwnerRefInvalidNamespace', () => {
  const withoutGraph: Reconcilers = (client, clock) => {
    const listed = listedDependents(client);
    return [garbageCollector(client, clock, undefined, { known: listed, all: listed })];
  };
  const recorded = async (world: World): Promise<unknown[]> =>
    (await clientset(world.user).list(EVENTS)).map(({ metadata, involvedObject, type, reason, message, source }) => [
      `${metadata.namespace}: ${involvedObject.apiVersion} ${involvedObject.kind} ${involvedObject.name}`,
      [type, reason, source.component],
      message,
    ]);
  const event = (about: string, owner: JsonObject, namespace: string) => [
    about,
    ['Warning', 'OwnerRefInvalidNamespace', 'garbage-collector-controller'],
    `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: owner, uid: ${uidOf(owner)}] does not exist in namespace "${namespace}"`,
  ];

  describe.each([
    ['a graph', make],
    ['lists', withoutGraph],
  ])('a collection by %s', (_name, collect) => {
    test('is recorded for a dependent in another namespace, which is deleted', async () => {
      const world = await aWorld();
      const owner = await aConfigMap(world, 'owner');
      await aConfigMap(world, 'd', { owners: [owner], namespace: 'other' });
      await world.run(collect);
      await world.run(collect);
      expect(await names(world)).toEqual(['owner']);
      expect(await recorded(world)).toEqual([event('other: v1 ConfigMap d', owner, 'other')]);
    });

    test('is recorded once for a cluster-scoped dependent, which stays', async () => {
      const world = await aWorld();
      const owner = await aConfigMap(world, 'owner');
      const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
      await world.user.create(VOLUMES, { metadata: { name: 'v', ownerReferences: [reference(owner)] }, spec });
      await world.run(collect);
      await world.run(collect);
      expect(await world.user.list(VOLUMES)).toHaveLength(1);
      expect(await recorded(world)).toEqual([event('default: v1 PersistentVolume v', owner, '')]);
    });

    test('is not recorded for an owner that was deleted, has another name, or is in the same namespace', async () => {
      const world = await aWorld();
      const [owner, gone] = [await aConfigMap(world, 'owner'), await aConfigMap(world, 'gone')];
      await world.user.delete(ref('gone'));
      await aConfigMap(world, 'a', { owners: [gone] });
      await aConfigMap(world, 'b', { owners: [{ ...owner, metadata: { name: 'wrong', uid: uidOf(owner) } }] });
      await aConfigMap(world, 'c', { owners: [owner] });
      await world.run(collect);
      expect(await names(world)).toEqual(['c', 'owner']);
      expect(await recorded(world)).toEqual([]);
    });
  });

  test('reads no other namespace for the dependents of a deleted owner', async () => {
    const world = await aWorld();
    const owner = await aConfigMap(world, 'owner');
    await aConfigMap(world, 'd', { owners: [owner] });
    const client = world.newClient('collector');
    const lists: unknown[] = [];
    const counting = {
      ...client,
      list: (...call: Parameters<typeof client.list>) => (lists.push(call), client.list(...call)),
    };
    const deleting: Reconcilers = (other, clock) => {
      const collector = garbageCollector(other, clock);
      return [
        collector,
        {
          name: 'user',
          keys: ({ name }) => (name === 'd' ? ['d'] : []),
          reconcile: async () => {
            await world.user.delete(ref('owner'));
            return undefined;
          },
        },
      ];
    };
    await world.run(deleting, counting);
    expect(await names(world)).toEqual([]);
    expect(lists).toEqual([]);
  });
});

test('custom owners own built-in dependents', async () => {
  const world = await aWorld();
  const both: Reconcilers = (client, clock) => [
    apiextensionsController(client, clock),
    garbageCollector(client, clock),
  ];
  await world.user.create(DEFINITIONS, definition('widgets', 'Widget'));
  await world.run(both);
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };
  await aConfigMap(world, 'd', { owners: [await world.user.create(WIDGETS, widget)] });
  await world.run(both);
  expect(await names(world)).toEqual(['d']);
  await world.user.delete(refOf(DEFINITIONS, '', 'widgets.example.com'));
  await world.run(both);
  await world.user.create(DEFINITIONS, definition('widgets', 'Widget'));
  await world.run(both);
  expect(await names(world)).toEqual([]);
});

describe('concurrent deletes with preconditions', () => {
  const refused = (reason: string) => expect.objectContaining({ reason }) as unknown;

  test.each<[string, (object: JsonObject) => DeleteRequest, string | undefined]>([
    ['its uid', (object) => ({ uid: uidOf(object) }), undefined],
    ['another uid', () => ({ uid: 'other' }), 'Conflict'],
    ['its version', (object) => ({ resourceVersion: resourceVersionOf(object) }), undefined],
    ['another version', () => ({ resourceVersion: '1' }), 'Conflict'],
  ])('are handled for %s', async (_name, request, reason) => {
    const world = await aWorld();
    const object = await aConfigMap(world, 'a');
    const done = world.user.delete(ref('a'), request(object));
    await (reason === undefined
      ? expect(done).resolves.toBeUndefined()
      : expect(done).rejects.toEqual(refused(reason)));
    expect(await names(world)).toEqual(reason === undefined ? [] : ['a']);
  });

  test('the write that removes the last finalizer deletes', async () => {
    const world = await aWorld();
    await aConfigMap(world, 'a', { finalizers: ['a.b/c', 'a.b/d'] });
    await world.user.delete(ref('a'));
    const held = await world.user.patch(ref('a'), { metadata: { finalizers: ['a.b/d'] } });
    expect(finalizersOf(held)).toEqual(['a.b/d']);
    await world.user.patch(ref('a'), { metadata: { finalizers: [] } });
    expect(await names(world)).toEqual([]);
  });

  test('a delete of an object that waits for finalizers writes nothing', async () => {
    const world = await aWorld();
    await aConfigMap(world, 'a', { finalizers: ['a.b/c'] });
    await world.user.delete(ref('a'));
    const before = await world.heads();
    await world.user.delete(ref('a'));
    expect(await world.heads()).toEqual(before);
  });

  test('fails for an unserved resource, instead of counting it as absent', async () => {
    const world = await aWorld();
    const nowhere = { group: 'nobody.example.com', version: 'v1', resource: 'things' };
    await expect(world.user.get(refOf(nowhere, 'default', 'x'))).rejects.toBeInstanceOf(StatusError);
    expect(await world.user.get(ref('absent'))).toBeUndefined();
  });
});

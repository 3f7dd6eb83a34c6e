import { describe, expect, test } from 'vitest';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { namespaceController } from '#lib/controllers/namespace/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, DEFINITIONS, definition, NAMESPACES, refOf, WIDGETS } from '#test/support/controllers/refs.ts';
import { type Reconcilers, stray, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [namespaceController(client, clock)];
const CONFIG_MAPS = core('configmaps');
const PODS = core('pods');
const ACCOUNTS = core('serviceaccounts');
/** Without this account, admission rejects pods. */
const account: JsonObject = { metadata: { name: 'default', namespace: 'x' } };
const LEASES: GroupVersionResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

const namespace = (name: string, metadata: JsonObject = {}): JsonObject => ({ metadata: { name, ...metadata } });
const configMap = (name: string, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'x', ...metadata },
});
const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'x' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

async function withContent(world: World): Promise<void> {
  await world.user.create(NAMESPACES, namespace('x'));
  await world.user.create(NAMESPACES, namespace('y'));
  await world.user.create(CONFIG_MAPS, configMap('a'));
  await world.user.create(CONFIG_MAPS, { metadata: { name: 'b', namespace: 'y' } });
  await world.user.create(ACCOUNTS, account);
  await world.user.create(PODS, pod('p'));
  await world.user.create(LEASES, { metadata: { name: 'l', namespace: 'x' } });
  await world.user.delete(refOf(NAMESPACES, '', 'x'));
}

async function isGone(world: World): Promise<void> {
  expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
  for (const resource of [CONFIG_MAPS, PODS, LEASES])
    expect(await world.user.list(resource, { namespace: 'x' })).toEqual([]);
  expect(await world.user.get(refOf(NAMESPACES, '', 'y'))).toMatchObject({ status: { phase: 'Active' } });
  expect(await world.user.list(CONFIG_MAPS, { namespace: 'y' })).toHaveLength(1);
}

describe('a namespace that is deleted', () => {
  test('is marked, and stays until its finalizers are gone', async () => {
    const world = new World();
    await withContent(world);
    const marked = await world.user.get(refOf(NAMESPACES, '', 'x'));
    expect(marked).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } });
    expect(marked?.['metadata']).toHaveProperty('deletionTimestamp');
    expect(marked?.['metadata']).not.toHaveProperty('deletionGracePeriodSeconds');
    const before = await world.heads();
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    expect(await world.heads()).toEqual(before);
  });

  test('is deleted with its content, and no other namespace is', async () => {
    const world = new World();
    await withContent(world);
    await world.run(make);
    await isGone(world);
    await expectSettled(world, make);
    expect(world.faults).toEqual([]);
  });

  test('is deleted no matter when the controller is killed', async () => {
    expect(await surviveEveryCrash({ make, prepare: withContent, check: isGone })).toBeGreaterThan(9);
  });

  test('waits for finalizers of its content, and reports them', async () => {
    const world = new World();
    await world.user.create(NAMESPACES, namespace('x'));
    await world.user.create(CONFIG_MAPS, configMap('a', { finalizers: ['example.com/hold'] }));
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    const conditions = (await world.user.get(refOf(NAMESPACES, '', 'x')))?.['status'];
    expect(conditions).toMatchObject({
      conditions: [
        { type: 'NamespaceDeletionDiscoveryFailure', status: 'False' },
        { type: 'NamespaceDeletionGroupVersionParsingFailure', status: 'False' },
        { type: 'NamespaceDeletionContentFailure', status: 'False' },
        {
          type: 'NamespaceContentRemaining',
          status: 'True',
          message: 'Some resources are remaining: configmaps. has 1 resource instances',
        },
        {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
        },
      ],
    });
    await world.user.patch(refOf(CONFIG_MAPS, 'x', 'a'), { metadata: { finalizers: null } });
    await world.run(make);
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
  });

  test('lets pods end gracefully before anything else is deleted', async () => {
    const world = new World();
    await world.user.create(NAMESPACES, namespace('x'));
    await world.user.create(ACCOUNTS, account);
    await world.user.create(PODS, pod('p', { nodeName: 'n' }));
    await world.user.create(CONFIG_MAPS, configMap('a'));
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    const ending = await world.user.get(refOf(PODS, 'x', 'p'));
    expect(ending).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } });
    expect(await world.user.get(refOf(CONFIG_MAPS, 'x', 'a'))).toBeDefined();
    await world.user.delete(refOf(PODS, 'x', 'p'), { gracePeriodSeconds: 0 });
    await world.run(make);
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
  });

  test('stays for finalizers of its own', async () => {
    const world = new World();
    await world.user.create(NAMESPACES, namespace('x', { finalizers: ['example.com/hold'] }));
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toMatchObject({
      spec: {},
      status: { phase: 'Terminating' },
    });
    await world.user.patch(refOf(NAMESPACES, '', 'x'), { metadata: { finalizers: null } });
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
  });

  test('stays for other finalizers of its spec until finalize removes the last', async () => {
    const world = new World();
    await world.user.create(NAMESPACES, { ...namespace('x'), spec: { finalizers: ['example.com/hold'] } });
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    const held = await world.user.get(refOf(NAMESPACES, '', 'x'));
    expect(held).toMatchObject({ spec: { finalizers: ['example.com/hold'] } });
    await world.user.update(refOf(NAMESPACES, '', 'x'), { ...held, spec: { finalizers: [] } }, 'finalize');
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
  });

  test('is deleted even if it has no finalizer', async () => {
    const world = new World();
    const made = await world.user.create(NAMESPACES, namespace('x'));
    await world.user.update(refOf(NAMESPACES, '', 'x'), { ...made, spec: { finalizers: [] } }, 'finalize');
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toMatchObject({ status: { phase: 'Active' } });
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
  });
});

describe('an object that is created during the deletion of its namespace', () => {
  const comes = (world: World) => stray(world, 'configmaps', 'y', 'x', 'late');
  const left = async (world: World) => (await world.user.list(CONFIG_MAPS, { namespace: 'x' })).length;
  async function aWorld(world = new World()): Promise<World> {
    await world.user.create(NAMESPACES, namespace('y'));
    await world.user.create(CONFIG_MAPS, { metadata: { name: 'late', namespace: 'y' } });
    return world;
  }

  test('is deleted after its namespace', async () => {
    const world = await aWorld();
    await world.user.create(NAMESPACES, namespace('x'));
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    await world.run(make);
    await comes(world);
    await world.run(make);
    expect(await left(world)).toBe(0);
  });

  test('is deleted no matter when the controller is killed', async () => {
    const prepare = async (world: World): Promise<void> => comes(await aWorld(world));
    const check = async (world: World): Promise<void> => expect(await left(world)).toBe(0);
    expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(3);
  });

  test('is noticed if it is created between the final check and the deletion', async () => {
    const world = await aWorld();
    await world.user.create(NAMESPACES, namespace('x'));
    await world.user.delete(refOf(NAMESPACES, '', 'x'));
    const late: Reconcilers = (client, clock) => [
      namespaceController(
        {
          ...client,
          async update(ref, object, subresource) {
            if (subresource === 'finalize') await comes(world);
            return client.update(ref, object, subresource);
          },
        },
        clock,
      ),
    ];
    await world.run(late);
    expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
    expect(await left(world)).toBe(0);
  });

  test('is kept if its namespace was recreated', async () => {
    const world = await aWorld();
    await comes(world);
    await world.user.create(NAMESPACES, namespace('x'));
    await world.run(make);
    expect(await left(world)).toBe(1);
  });
});

test('deletes custom objects with their namespace', async () => {
  const world = new World();
  await world.user.create(DEFINITIONS, definition('widgets', 'Widget'));
  const both: Reconcilers = (client, clock, on) => [apiextensionsController(client, clock), ...make(client, clock, on)];
  await world.run(both);
  await world.user.create(NAMESPACES, namespace('x'));
  await world.user.create(WIDGETS, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'x' },
  });
  await world.user.delete(refOf(NAMESPACES, '', 'x'));
  await world.run(both);
  expect(await world.user.list(WIDGETS)).toEqual([]);
  expect(await world.user.get(refOf(NAMESPACES, '', 'x'))).toBeUndefined();
});

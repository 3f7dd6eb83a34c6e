import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { storageVersionMigrator } from '#lib/controllers/storage-version-migrator/reconcile.ts';
import { isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, DEFINITIONS, definition, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [
  apiextensionsController(client, clock),
  storageVersionMigrator(client, clock),
];
const MIGRATIONS = { group: 'storagemigration.k8s.io', version: 'v1beta1', resource: 'storageversionmigrations' };
const widgets = (version: string) => ({ group: 'example.com', version, resource: 'widgets' });
const EXAMPLE = join(import.meta.dirname, '../../../../examples/storage-version-migration/definition.yaml');

/** The documents in the example: the definition and a migration. */
function example(): JsonObject[] {
  return readFileSync(EXAMPLE, 'utf8')
    .split(/^---$/m)
    .map((text) => decodeYaml(Buffer.from(text)).value)
    .filter(isObject);
}

const withVersions = (storage: 'v1' | 'v2'): JsonObject[] => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === storage, schema }));
};

/** Objects stored as v1 of a definition that now stores v2, and one object that was written after the change. */
async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  const [api = {}, migration = {}] = example();
  await world.user.create(DEFINITIONS, api);
  const versioned = definition('widgets', 'Widget');
  await world.user.create(DEFINITIONS, {
    ...versioned,
    spec: { ...objectAt(versioned, 'spec'), versions: withVersions('v1') },
  });
  await world.run(make);
  for (const name of ['a', 'b']) await aWidget(world, name);
  const ref = refOf(DEFINITIONS, '', 'widgets.example.com');
  await world.user.patch(ref, { spec: { versions: withVersions('v2') } });
  await world.run(make);
  await world.user.create(MIGRATIONS, migration);
}

const aWidget = (world: World, name: string): Promise<JsonObject> =>
  world.user.create(widgets('v1'), {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
  });

async function storedVersions(world: World): Promise<string[]> {
  const storage = world.server.storageOf({ group: 'example.com', resource: 'widgets' });
  const list = await storage.list({ prefix: '', at: { kind: 'fresh' }, limit: 100 });
  return list.objects.map(
    ({ body }) => /"apiVersion":"example.com\/(v\d)"/.exec(Buffer.from(body).toString())?.[1] ?? '',
  );
}

const conditions = async (world: World, of: typeof MIGRATIONS, name: string): Promise<Record<string, unknown>> => {
  const object = (await world.user.get(refOf(of, '', name))) ?? {};
  return Object.fromEntries(
    items(objectAt(object, 'status'), 'conditions').map((one) => [String(one['type']), one['status']]),
  );
};

async function check(world: World): Promise<void> {
  expect(await storedVersions(world)).toEqual(['v2', 'v2']);
  expect(await conditions(world, MIGRATIONS, 'widgets')).toEqual({ Running: 'False', Succeeded: 'True' });
  const told = (await world.user.get(refOf(DEFINITIONS, '', 'widgets.example.com'))) ?? {};
  expect(objectAt(told, 'status')?.['storedVersions']).toEqual(['v2']);
  expect(await conditions(world, DEFINITIONS, 'widgets.example.com')).toMatchObject({ StorageMigrating: 'False' });
}

test('stores every object again, no matter when the controller is killed', async () => {
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(6);
});

test.each<[string, JsonObject | undefined, string]>([
  ['nobody names', undefined, 'resource does not exist in discovery'],
  ['nothing serves', { group: 'example.org', resource: 'things' }, 'resource does not exist in discovery'],
  [
    'cannot be listed',
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
    'resource "authorization.k8s.io/v1, Resource=subjectaccessreviews" does not support discovery operations: [update patch list]',
  ],
])('a migration of what %s fails', async (_name, resource, message) => {
  const world = new World();
  const [api = {}, { spec: _spec, ...migration } = {}] = example();
  await world.user.create(DEFINITIONS, api);
  await world.run(make);
  await world.user.create(MIGRATIONS, { ...migration, ...(resource && { spec: { resource } }) });
  await world.run(make);
  const found = (await world.user.get(refOf(MIGRATIONS, '', nameOf(migration)))) ?? {};
  expect(items(objectAt(found, 'status'), 'conditions')).toMatchObject([{ type: 'Failed', status: 'True', message }]);
  await expectSettled(world, make);
});

test('migrates a built-in resource, and does not write objects that already have the right version', async () => {
  const world = new World();
  const [api = {}, migration = {}] = example();
  await world.user.create(DEFINITIONS, api);
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  const made = await world.user.create(core('configmaps'), { metadata: { name: 'c', namespace: 'default' } });
  await world.run(make);
  await world.user.create(MIGRATIONS, { ...migration, spec: { resource: { group: '', resource: 'configmaps' } } });
  await world.run(make);
  expect(await conditions(world, MIGRATIONS, 'widgets')).toEqual({ Running: 'False', Succeeded: 'True' });
  expect(await world.user.get(refOf(core('configmaps'), 'default', 'c'))).toEqual(made);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { Client } from '#lib/client/client.ts';
import { runDefined } from '#lib/client/controller/run-defined.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { cronJobController } from '#lib/controllers/cronjob/reconcile.ts';
import { garbageCollector } from '#lib/controllers/garbage-collector/reconcile.ts';
import { orphanPods } from '#lib/controllers/job/orphans.ts';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { statefulSetController } from '#lib/controllers/statefulset/reconcile.ts';
import { storageProtectionControllers } from '#lib/controllers/storage-protection/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { controllerOf, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { podSimulator, type Rule } from '#test/support/controllers/pod-simulator.ts';
import { core, DEFINITIONS, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';
import { sampledb } from '../../../examples/sampledb/sampledb.ts';

const FOLDER = join(import.meta.dirname, '../../../examples/sampledb');
const yaml = (file: string): JsonObject => parse(readFileSync(join(FOLDER, file), 'utf8')) as JsonObject;

const DATABASES = { group: 'databases.example.com', version: 'v1', resource: 'sampledbs' };
const SETS = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };
const CRON_JOBS = { group: 'batch', version: 'v1', resource: 'cronjobs' };
const [PODS, CLAIMS, SECRETS] = [core('pods'), core('persistentvolumeclaims'), core('secrets')];
const [MAPS, SERVICES] = [core('configmaps'), core('services')];
const DATABASE = refOf(DATABASES, 'default', 'example-database');
const ROLE = 'databases.example.com/role';
const MINUTE = 60_000;

const isOfJob = (pod: JsonObject): boolean => controllerOf(pod)?.kind === 'Job';
/** Servers become ready, and jobs succeed. */
const well: Rule = (pod) => (isOfJob(pod) ? 'succeeded' : 'ready');

/** The operator, whose client may die, together with the built-in controllers that it relies on. */
const withPods =
  (rule: Rule = well): Reconcilers =>
  (client, clock, world) => {
    const other: Client = world.newClient('controllers');
    return [
      runDefined(sampledb, { client, clock, log: { info() {}, error() {} } }),
      statefulSetController(other, clock),
      jobController(other, clock),
      orphanPods(other),
      cronJobController(other, clock),
      garbageCollector(other, clock),
      ...storageProtectionControllers(other),
      podSimulator(world.newClient('kubelet'), clock, rule),
    ];
  };

/** Creates the kind and one database in a world. */
async function aDatabase(world: World, spec: JsonObject = {}): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } }).catch(() => undefined);
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'default' } });
  await world.user.create(DEFINITIONS, yaml('crd.yaml'));
  await world.run((client, clock) => [apiextensionsController(client, clock)]);
  const example = yaml('example-database.yaml');
  await world.user.create(DATABASES, { ...example, spec: { ...objectAt(example, 'spec'), ...spec } });
}

async function running(spec: JsonObject = {}): Promise<World> {
  const world = new World();
  onTestFinished(() => world.close());
  await aDatabase(world, spec);
  await world.run(withPods());
  return world;
}

const database = async (world: World): Promise<JsonObject> => (await world.user.get(DATABASE)) ?? {};
const status = async (world: World): Promise<JsonObject> => objectAt(await database(world), 'status') ?? {};
const condition = async (world: World, type: string): Promise<JsonObject | undefined> =>
  arrayAt(await status(world), 'conditions')
    .filter(isObject)
    .find((one) => one['type'] === type);
const names = async (world: World, resource: typeof SETS): Promise<string[]> =>
  (await world.user.list(resource, { namespace: 'default' })).map(nameOf).sort();
const roles = async (world: World): Promise<Record<string, string | undefined>> => {
  const pods = (await world.user.list(PODS, { namespace: 'default' })).filter((pod) => !isOfJob(pod));
  return Object.fromEntries(pods.map((pod) => [nameOf(pod), labelsOf(pod)[ROLE]]));
};
const imageOf = (object: JsonObject | undefined): string | undefined => {
  const template = objectAt(objectAt(objectAt(object, 'spec'), 'template'), 'spec');
  return stringAt(arrayAt(template, 'containers').find(isObject), 'image');
};
const change = (world: World, spec: JsonObject) => world.user.patch(DATABASE, { spec });

describe('the operator of SampleDB', () => {
  test('creates servers, claims, credentials, services, a first configuration, a primary and backups', async () => {
    const world = await running();
    expect(await status(world)).toMatchObject({ version: '1.4', replicas: 2, readyReplicas: 2 });
    expect(await condition(world, 'Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(await names(world, SETS)).toEqual(['example-database']);
    expect(await names(world, CLAIMS)).toEqual([
      'data-example-database-0',
      'data-example-database-1',
      'example-database-backups',
    ]);
    expect(await names(world, SERVICES)).toEqual(['example-database', 'example-database-servers']);
    expect(await names(world, SECRETS)).toEqual(['example-database-credentials']);
    expect(await names(world, MAPS)).toContain('example-database-connection');
    expect(await names(world, JOBS)).toEqual(['example-database-setup']);
    expect(await names(world, CRON_JOBS)).toEqual(['example-database-backup']);
    expect(await roles(world)).toEqual({ 'example-database-0': 'primary', 'example-database-1': 'replica' });
    expect(world.faults).toEqual([]);
    await expectSettled(world, withPods());
  });

  test('creates backups on a schedule', async () => {
    const world = await running({ backup: { schedule: '* * * * *' } });
    world.clock.advance(MINUTE);
    await world.run(withPods());
    const backups = (await names(world, JOBS)).filter((name) => name.startsWith('example-database-backup-'));
    expect(backups.length).toBeGreaterThan(0);
    expect(Date.parse(String((await status(world))['lastBackup']))).toBeGreaterThan(0);
  });

  test('upgrades with a job before the servers, and never downgrades', async () => {
    const world = await running();
    await change(world, { version: '2.0' });
    await world.run(withPods((pod) => (isOfJob(pod) ? 'waits' : 'ready')));
    expect(await condition(world, 'Ready')).toMatchObject({ status: 'False', reason: 'Upgrading' });
    expect(imageOf(await world.user.get(refOf(SETS, 'default', 'example-database')))).toMatch(/:1\.4$/);
    expect(imageOf(await world.user.get(refOf(JOBS, 'default', 'example-database-upgrade-2-0')))).toMatch(/:2\.0$/);
    await world.run(withPods());
    expect(await status(world)).toMatchObject({ version: '2.0', readyReplicas: 2 });
    expect(imageOf(await world.user.get(refOf(SETS, 'default', 'example-database')))).toMatch(/:2\.0$/);
    await change(world, { version: '1.5' });
    await world.run(withPods());
    expect(await condition(world, 'Reconciled')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('2.0'),
    });
    expect(imageOf(await world.user.get(refOf(SETS, 'default', 'example-database')))).toMatch(/:2\.0$/);
  });

  test('reports a failed upgrade, and retries when that job is deleted', async () => {
    const world = await running();
    await change(world, { version: '2.0' });
    await world.run(withPods((pod) => (isOfJob(pod) ? 'failed' : 'ready')));
    await world.run(withPods((pod) => (isOfJob(pod) ? 'failed' : 'ready')));
    expect(await condition(world, 'Ready')).toMatchObject({ status: 'False', reason: 'TaskFailed' });
    expect(await condition(world, 'Reconciled')).toMatchObject({ status: 'False' });
    await world.user.delete(refOf(JOBS, 'default', 'example-database-upgrade-2-0'), {
      propagationPolicy: 'Background',
    });
    await world.run(withPods());
    expect(await status(world)).toMatchObject({ version: '2.0' });
    expect(await condition(world, 'Ready')).toMatchObject({ status: 'True' });
  });

  test('elects another primary if the first is not ready, and keeps it', async () => {
    const world = await running({ replicas: 3 });
    const sick: Rule = (pod) => (nameOf(pod) === 'example-database-0' ? 'running' : well(pod));
    await world.run(withPods(sick));
    expect(await roles(world)).toMatchObject({ 'example-database-0': 'replica', 'example-database-1': 'primary' });
    await world.run(withPods());
    expect(await status(world)).toMatchObject({ primary: 'example-database-1', readyReplicas: 3 });
    expect(Object.values(await roles(world)).filter((role) => role === 'primary')).toHaveLength(1);
  });

  test('initializes a database from a backup of another', async () => {
    const restoreFrom = { claim: 'old-backups', backup: 'old-snapshot' };
    const world = await running({ restoreFrom });
    const job = await world.user.get(refOf(JOBS, 'default', 'example-database-restore'));
    const spec = objectAt(objectAt(objectAt(job, 'spec'), 'template'), 'spec');
    expect(spec?.['volumes']).toContainEqual({ name: 'source', persistentVolumeClaim: { claimName: 'old-backups' } });
    expect(arrayAt(spec, 'containers')).toMatchObject([{ args: ['restore', '/source/old-snapshot'] }]);
    expect(await condition(world, 'Ready')).toMatchObject({ status: 'True' });
    await expect(change(world, { restoreFrom: null })).rejects.toThrow('restored when it is created');
  });

  test('deletes a database after its snapshot, with its servers and claims, and keeps the backups', async () => {
    const world = await running();
    await world.user.delete(DATABASE);
    await world.run(withPods((pod) => (isOfJob(pod) ? 'waits' : 'ready')));
    expect(await names(world, SETS)).toEqual(['example-database']);
    await world.run(withPods());
    await expectGone(world);
    expect((await names(world, JOBS)).filter((name) => name.includes('snapshot'))).toHaveLength(1);
  });

  test('keeps a database whose snapshot failed, until none is requested', async () => {
    const world = await running();
    await world.user.delete(DATABASE);
    for (let turn = 0; turn < 3; turn++) await world.run(withPods((pod) => (isOfJob(pod) ? 'failed' : 'ready')));
    expect(await condition(world, 'Reconciled')).toMatchObject({ message: expect.stringContaining('snapshot failed') });
    expect(await names(world, SETS)).toEqual(['example-database']);
    await change(world, { finalSnapshot: false });
    await world.run(withPods());
    await expectGone(world);
  });
});

/** Expects that nothing but the backups of the database remains. */
async function expectGone(world: World): Promise<void> {
  expect(await world.user.get(DATABASE)).toBeUndefined();
  for (const resource of [SETS, CRON_JOBS, SERVICES, SECRETS]) expect(await names(world, resource)).toEqual([]);
  expect(await names(world, CLAIMS)).toEqual(['example-database-backups']);
}

describe('the operator, killed after each write,', () => {
  const prepare = async (world: World): Promise<void> => {
    await aDatabase(world, { replicas: 1 });
    await world.run(withPods());
  };
  const make = withPods();

  test('creates a database', async () => {
    const check = async (world: World): Promise<void> => {
      expect(await condition(world, 'Ready')).toMatchObject({ status: 'True' });
      expect(await roles(world)).toEqual({ 'example-database-0': 'primary' });
    };
    const create = (world: World): Promise<void> => aDatabase(world, { replicas: 1 });
    expect(await surviveEveryCrash({ make, prepare: create, check })).toBeGreaterThan(20);
  });

  test('upgrades a database', async () => {
    const upgrade = async (world: World): Promise<void> => {
      await prepare(world);
      await change(world, { version: '2.0' });
    };
    const check = async (world: World): Promise<void> =>
      expect(await status(world)).toMatchObject({ version: '2.0', readyReplicas: 1 });
    expect(await surviveEveryCrash({ make, prepare: upgrade, check })).toBeGreaterThan(10);
  });

  test('deletes a database', async () => {
    const remove = async (world: World): Promise<void> => {
      await prepare(world);
      await world.user.delete(DATABASE);
    };
    expect(await surviveEveryCrash({ make, prepare: remove, check: expectGone })).toBeGreaterThan(5);
  });
});

import { describe, expect, test } from 'vitest';
import { apiServiceController } from '#lib/controllers/api-service/reconcile.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { bootstrapController } from '#lib/controllers/bootstrap/reconcile.ts';
import { flowControlController } from '#lib/controllers/flow-control/reconcile.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, DEFINITIONS, definition, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client) => [
  bootstrapController(client, { host: '192.0.2.7', port: 6443 }, { clientAuthority: 'PEM' }),
];
const SLICES = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };
const FLOW_SCHEMAS = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', resource: 'flowschemas' };
const LEVELS = { ...FLOW_SCHEMAS, resource: 'prioritylevelconfigurations' };
const API_SERVICES = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };

const AUTHENTICATION = refOf(core('configmaps'), 'kube-system', 'extension-apiserver-authentication');

const names = async (world: World, resource: typeof SLICES) => (await world.user.list(resource)).map(nameOf).sort();

async function isComplete(world: World): Promise<void> {
  expect(await names(world, core('namespaces'))).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  expect(await world.user.get(refOf(core('services'), 'default', 'kubernetes'))).toMatchObject({
    metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  });
  expect(await world.user.get(refOf(core('endpoints'), 'default', 'kubernetes'))).toMatchObject({
    subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 6443 }] }],
  });
  expect(await world.user.get(refOf(SLICES, 'default', 'kubernetes'))).toMatchObject({
    endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
  });
  expect(await world.user.get(AUTHENTICATION)).toMatchObject({ data: { 'client-ca-file': 'PEM' } });
  expect(await names(world, PRIORITY_CLASSES)).toEqual(['system-cluster-critical', 'system-node-critical']);
}

describe('the first objects of a cluster', () => {
  test('exist and do not change', async () => {
    const world = new World();
    await world.run(make);
    await isComplete(world);
    await expectSettled(world, make);
    expect(world.faults).toEqual([]);
  });

  test('exist no matter when the controller is killed', async () => {
    const prepare = async (): Promise<void> => {};
    expect(await surviveEveryCrash({ make, prepare, check: isComplete })).toBeGreaterThan(12);
  });

  test('are created again after their deletion', async () => {
    const world = new World();
    await world.run(make);
    await world.user.delete(refOf(core('services'), 'default', 'kubernetes'));
    await world.user.delete(refOf(PRIORITY_CLASSES, '', 'system-node-critical'));
    await world.user.patch(refOf(SLICES, 'default', 'kubernetes'), { endpoints: [] });
    await world.user.patch(AUTHENTICATION, { data: { 'client-ca-file': 'another' } });
    await world.run(make);
    await isComplete(world);
  });

  test.each(['127.0.0.1', '::1', '0.0.0.0', 'localhost'])('has no endpoints if only %s is known', async (host) => {
    const world = new World();
    const local: Reconcilers = (client) => [bootstrapController(client, { host, port: 1 }, { clientAuthority: '' })];
    await world.run(local);
    expect(await world.user.get(refOf(core('endpoints'), 'default', 'kubernetes'))).not.toHaveProperty('subsets');
    await expectSettled(world, local);
    expect(world.faults).toEqual([]);
  });
});

test("extension-apiserver-authentication describes authenticating proxies in upstream's format", async () => {
  const proxies = {
    authority: 'PROXY PEM',
    allowedNames: ['front'],
    usernameHeaders: ['X-Remote-User'],
    uidHeaders: ['X-Remote-Uid'],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
  };
  const world = new World();
  await world.run((client) => [
    bootstrapController(client, { host: '192.0.2.7', port: 6443 }, { clientAuthority: 'PEM', proxies }),
  ]);
  expect((await world.user.get(AUTHENTICATION))?.['data']).toEqual({
    'client-ca-file': 'PEM',
    'requestheader-allowed-names': '["front"]',
    'requestheader-client-ca-file': 'PROXY PEM',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

describe('API services of the server', () => {
  const both: Reconcilers = (client, clock) => [apiextensionsController(client, clock), apiServiceController(client)];
  const custom = refOf(API_SERVICES, '', 'v1.example.com');

  test('exist for built-in groups and are available', async () => {
    const world = new World();
    await world.run(both);
    const all = await world.user.list(API_SERVICES);
    expect(all.map(nameOf)).toEqual(expect.arrayContaining(['v1.', 'v1.apps', 'v1.batch', 'v2.autoscaling']));
    expect(new Set(all.map((service) => labelsOf(service)['kube-aggregator.kubernetes.io/automanaged']))).toEqual(
      new Set(['onstart']),
    );
    expect(all[0]).toMatchObject({ status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] } });
    await expectSettled(world, both);
    expect(world.faults).toEqual([]);
  });

  test('are created and deleted with their definitions, no matter when the controllers are killed', async () => {
    const check = async (world: World): Promise<void> => {
      expect(await world.user.get(custom)).toMatchObject({
        metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
        spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
      });
      await world.user.delete(refOf(DEFINITIONS, '', 'widgets.example.com'));
      await world.run(both);
      expect(await world.user.get(custom)).toBeUndefined();
    };
    const prepare = async (world: World): Promise<void> => {
      await world.run(both);
      await world.user.create(DEFINITIONS, definition('widgets', 'Widget'));
    };
    expect(await surviveEveryCrash({ make: both, prepare, check })).toBeGreaterThan(2);
  });

  test('are not changed if a user created them', async () => {
    const world = new World();
    const spec = { group: 'other.example.com', version: 'v1', groupPriorityMinimum: 5, versionPriority: 5 };
    await world.user.create(API_SERVICES, { metadata: { name: 'v1.other.example.com' }, spec });
    await world.run(both);
    expect(await world.user.get(refOf(API_SERVICES, '', 'v1.other.example.com'))).toMatchObject({ spec });
  });
});

describe('flow control objects', () => {
  const kept: Reconcilers = (client, clock) => [flowControlController({ producer: client, consumer: client }, clock)];
  const level = (name: string) => refOf(LEVELS, '', name);
  const schema = (name: string) => refOf(FLOW_SCHEMAS, '', name);
  const dangling = async (world: World, name: string) => (await world.user.get(schema(name)))?.['status'];
  const condition = (status: string, reason: string) => ({ conditions: [{ type: 'Dangling', status, reason }] });

  async function isConfigured(world: World): Promise<void> {
    expect(await names(world, LEVELS)).toEqual(
      'catch-all exempt global-default leader-election node-high system workload-high workload-low'.split(' '),
    );
    const schemas = await names(world, FLOW_SCHEMAS);
    expect(schemas).toHaveLength(11);
    for (const name of schemas) expect(await dangling(world, name)).toMatchObject(condition('False', 'Found'));
  }

  test('are configured no matter when the controller is killed', async () => {
    const prepare = async (): Promise<void> => {};
    expect(await surviveEveryCrash({ make: kept, prepare, check: isConfigured })).toBeGreaterThan(25);
  });

  test('are restored if deleted, and removed if obsolete', async () => {
    const world = new World();
    await world.run(kept);
    const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
    await world.user.create(LEVELS, { metadata: { name: 'old', annotations }, spec });
    await world.user.create(LEVELS, { metadata: { name: 'own' }, spec });
    await world.user.delete(level('system'));
    await world.user.delete(schema('catch-all'));
    await world.user.patch(schema('probes'), { spec: { matchingPrecedence: 7 } });
    await world.run(kept);
    expect(await world.user.get(level('old'))).toBeUndefined();
    expect(await world.user.get(schema('probes'))).toMatchObject({ spec: { matchingPrecedence: 2 } });
    await world.user.delete(level('own'));
    await isConfigured(world);
    await expectSettled(world, kept);
    expect(world.faults).toEqual([]);
  });

  test("keep an operator's changes if autoupdate is off, and report a missing priority level", async () => {
    const world = new World();
    await world.run(kept);
    const metadata = { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } };
    await world.user.patch(schema('probes'), { metadata, spec: { priorityLevelConfiguration: { name: 'mine' } } });
    await world.run(kept);
    expect(await dangling(world, 'probes')).toMatchObject(condition('True', 'NotFound'));
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
    await world.user.create(LEVELS, { metadata: { name: 'mine' }, spec });
    await world.run(kept);
    expect(await dangling(world, 'probes')).toMatchObject(condition('False', 'Found'));
    await world.user.delete(level('mine'));
    await world.run(kept);
    expect(await dangling(world, 'probes')).toMatchObject(condition('True', 'NotFound'));
    expect(await world.user.get(schema('probes'))).toMatchObject({
      metadata,
      spec: { priorityLevelConfiguration: { name: 'mine' } },
    });
    await expectSettled(world, kept);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from '#lib/client/controller/finalizer.ts';
import { setControllerReference } from '#lib/client/controller/owner.ts';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import { type Condition, isConditionTrue, setCondition } from '#lib/machinery/conditions.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

interface Site extends KubernetesObject {
  readonly spec: { readonly text: string; readonly template?: string };
  readonly status?: { readonly runs?: number; readonly conditions?: readonly Condition[] };
}
interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const SITES: Kind<Site> = { apiVersion: 'example.com/v1', kind: 'Site' };
const CONFIG_MAPS: Kind<ConfigMap> = { apiVersion: 'v1', kind: 'ConfigMap' };
const FINALIZER = 'example.com/published';
const PATH = '/apis/example.com/v1/namespaces/default/sites';

const DEFINITION = simpleDefinition({
  group: 'example.com',
  plural: 'sites',
  kind: 'Site',
  subresources: { status: {} },
  properties: {
    spec: { type: 'object', properties: { text: { type: 'string' }, template: { type: 'string' } } },
    status: {
      type: 'object',
      properties: {
        runs: { type: 'integer' },
        conditions: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    },
  },
});

const runs: string[] = [];
const failing = new Set<string>();

/** Publishes each site as a config map that the site owns. */
const sites = defineReconciler(
  {
    name: 'sites',
    for: SITES,
    owns: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
    watches: [{ apiVersion: 'v1', kind: 'Secret', map: { label: 'site' } }],
    maxConcurrent: 2,
  },
  async ({ namespace, name }, { client, object, events, clock }) => {
    runs.push(name);
    const found = await object();
    if (found === undefined) return undefined;
    if (failing.has(name)) throw new Error(`no room for ${name}`);
    if (found.spec.text === 'forbidden') return { terminal: 'this is not published' };
    if (found.metadata.deletionTimestamp !== undefined) {
      await events.event(found, { type: 'Normal', reason: 'Unpublished', action: 'Delete', note: `${name} is gone` });
      await removeFinalizer(client, found, FINALIZER);
      return undefined;
    }
    const site = await addFinalizer(client, found, FINALIZER);
    const page: ConfigMap = { ...CONFIG_MAPS, metadata: { namespace, name }, data: { text: site.spec.text } };
    const current = await client.get(CONFIG_MAPS, { namespace, name }, { cached: true });
    if (current?.data?.['text'] !== site.spec.text) await client.apply(setControllerReference(site, page));
    const condition = { type: 'Published', status: 'True', reason: 'Done', message: '' } as const;
    const conditions = setCondition(site.status?.conditions, condition, clock.now());
    if (conditions !== site.status?.conditions) await client.patchStatus(SITES, { namespace, name }, { conditions });
    return undefined;
  },
);

let server: RunningApiserver;
let send: Requester;
const logged: string[] = [];

beforeAll(async () => {
  const log = { info() {}, error: (message: string) => void logged.push(message) };
  server = await startApiserver({ reconcilers: [sites], log });
  send = requester(server);
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await eventually(async () => expect((await send('GET', PATH)).status).toBe(200));
});

afterAll(() => server.close());

const create = (name: string, text = 'hello', labels = {}) =>
  send('POST', PATH, { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name, labels }, spec: { text } });
const read = async (name: string): Promise<Site> => (await send('GET', `${PATH}/${name}`)).body as unknown as Site;
const page = async (name: string): Promise<ConfigMap> =>
  (await send('GET', `/api/v1/namespaces/default/configmaps/${name}`)).body as unknown as ConfigMap;
const eventsOf = async (name: string): Promise<Record<string, unknown>[]> => {
  const { items } = (await send('GET', '/apis/events.k8s.io/v1/namespaces/default/events')).body;
  return (items as { regarding: { name: string } }[]).filter(({ regarding }) => regarding.name === name);
};

/** Waits until everything queued before has started. */
async function settled(): Promise<void> {
  const name = `behind-${runs.length}`;
  await create(name);
  await eventually(() => expect(runs).toContain(name));
}

test('reconciles an object and the objects that it owns, and again after a change', async () => {
  await create('one');
  await eventually(async () => isConditionTrue((await read('one')).status?.conditions, 'Published'));
  expect(hasFinalizer(await read('one'), FINALIZER)).toBe(true);
  expect((await page('one')).metadata.ownerReferences).toMatchObject([{ kind: 'Site', name: 'one', controller: true }]);
  await send('PATCH', '/api/v1/namespaces/default/configmaps/one', { data: { text: 'changed' } });
  await eventually(async () => expect((await page('one')).data?.['text']).toBe('hello'));
});

test("a write of the object's own status triggers no reconcile", async () => {
  await create('quiet');
  await eventually(async () => isConditionTrue((await read('quiet')).status?.conditions, 'Published'));
  await settled();
  const before = runs.length;
  await send('PATCH', `${PATH}/quiet/status`, { status: { runs: 1 } });
  await create('next');
  await eventually(() => expect(runs).toContain('next'));
  expect(runs.slice(before)).not.toContain('quiet');
});

test('a watched object triggers the keys of its mapping', async () => {
  await create('mapped');
  await eventually(async () => isConditionTrue((await read('mapped')).status?.conditions, 'Published'));
  await settled();
  const before = runs.length;
  const metadata = { name: 'secret', labels: { site: 'mapped' } };
  await send('POST', '/api/v1/namespaces/default/secrets', { metadata });
  await eventually(() => expect(runs.slice(before)).toContain('mapped'));
});

test('reports a repeated failure on the object once, and removes the report afterwards', async () => {
  failing.add('full');
  await create('full');
  await eventually(() => expect(runs.filter((name) => name === 'full').length).toBeGreaterThan(3));
  await eventually(async () => (await eventsOf('full')).some(({ series }) => series !== undefined));
  const failed = (await read('full')).status?.conditions;
  expect(failed).toMatchObject([{ type: 'Reconciled', status: 'False', message: 'no room for full' }]);
  const told = await eventsOf('full');
  expect(told).toMatchObject([{ type: 'Warning', reason: 'ReconcileError', reportingController: 'sites' }]);
  expect(told).toMatchObject([{ series: { count: expect.any(Number) } }]);
  expect(logged).toContain('no room for full');
  failing.delete('full');
  await eventually(async () => isConditionTrue((await read('full')).status?.conditions, 'Reconciled'));
  expect(isConditionTrue((await read('full')).status?.conditions, 'Published')).toBe(true);
});

test('reports a terminal error and does not retry it', async () => {
  await create('bad', 'forbidden');
  await eventually(async () => expect((await eventsOf('bad')).length).toBeGreaterThan(0));
  const times = (of: string): number => runs.filter((name) => name === of).length;
  const before = times('bad');
  failing.add('beside');
  await create('beside');
  await eventually(() => expect(times('beside')).toBeGreaterThan(3));
  failing.delete('beside');
  expect(times('bad')).toBe(before);
  expect((await read('bad')).status?.conditions).toMatchObject([{ message: 'this is not published' }]);
});

test('deletes an object after its finalizer is removed', async () => {
  await create('going');
  await eventually(async () => hasFinalizer(await read('going'), FINALIZER));
  await send('DELETE', `${PATH}/going`);
  await eventually(async () => expect((await send('GET', `${PATH}/going`)).status).toBe(404));
  await eventually(async () => (await eventsOf('going')).some(({ reason }) => reason === 'Unpublished'));
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { Kind, KubernetesObject } from '#lib/client/typed-client.ts';
import { arrayAt } from '#lib/machinery/json-value.ts';
import { resourceVersionOf } from '#lib/machinery/meta.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { defineValidating } from '#lib/sdk/webhook-sdk/define-validating.ts';
import { denied } from '#lib/sdk/webhook-sdk/denied.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}
const CONFIG_MAPS: Kind<ConfigMap> = { apiVersion: 'v1', kind: 'ConfigMap' };
const PATH = '/api/v1/namespaces/default/configmaps';
const INVOCATIONS = '/debug/davit/invocations';

let isBroken = true;
const mine = defineReconciler<ConfigMap>(
  { name: 'mine', for: CONFIG_MAPS, predicates: { labelSelector: 'mine' } },
  async (_request, { object, log }) => {
    const { data = {} } = (await object()) ?? {};
    log.info(`it is ${data['is']}`);
    if (data['is'] === 'bad' && isBroken) return { terminal: 'it is bad' };
    return undefined;
  },
);

const rules = [
  { operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['serviceaccounts'] },
];
const guard = defineValidating({ name: 'guard', rules }, ({ metadata }) => {
  if (metadata.namespace === 'guarded') throw denied('nobody acts here');
});

let server: RunningApiserver;
let admin: Requester;
let nobody: Requester;

beforeAll(async () => {
  const tokens = new Map([['amy-token', { name: 'amy', groups: ['system:authenticated'] }]]);
  server = await startApiserver({ reconcilers: [mine], webhooks: [guard], tokens });
  admin = requester(server);
  nobody = requester({ ...server, adminToken: 'amy-token' });
});
afterAll(() => server.close());

async function invocations(query: string): Promise<readonly Invocation[]> {
  const { body } = await admin('GET', `${INVOCATIONS}?${query}`);
  return (body as unknown as { items: readonly Invocation[] }).items;
}

const make = (name: string, is: string) =>
  admin('POST', PATH, { metadata: { name, labels: { mine: '' } }, data: { is } });

test('lists an invocation with its object, outcome and log lines', async () => {
  expect((await make('good', 'good')).status).toBe(201);
  const [one] = await eventually(async () => {
    const found = await invocations('function=mine&namespace=default&name=good');
    expect(found).toHaveLength(1);
    return found;
  });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'good' };
  expect(one).toMatchObject({ type: 'Reconcile', function: 'mine', attempt: 1, outcome: 'Done', object });
  expect(one?.object?.uid).toMatch(/^[0-9a-f-]{36}$/);
  expect(one?.logs?.map(({ message }) => message)).toEqual(['it is good']);
});

test('shows which state of its object triggered a built-in reconciler', async () => {
  const { body: made } = await admin('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  await eventually(async () => {
    const found = await invocations('function=serviceaccount&kind=Namespace&name=team');
    expect(found.map(({ object }) => object?.resourceVersion)).toContain(resourceVersionOf(made));
  });
});

test('reports a lasting failure of a built-in reconciler on the object, once', async () => {
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'guarded' } });
  const selector = 'involvedObject.kind=Namespace,involvedObject.name=guarded';
  const events = async () => {
    const { body } = await admin('GET', `/api/v1/namespaces/default/events?fieldSelector=${selector}`);
    return arrayAt(body, 'items');
  };
  const told = await eventually(async () => {
    const found = await events();
    expect(found).toHaveLength(1);
    return found;
  });
  expect(told).toMatchObject([
    {
      type: 'Warning',
      reason: 'ReconcileError',
      source: { component: 'serviceaccount' },
      message: expect.stringContaining('nobody acts here'),
    },
  ]);
  const count = (await invocations('failed=true&function=serviceaccount&name=guarded')).length;
  await eventually(async () => {
    const found = await invocations('failed=true&function=serviceaccount&name=guarded');
    expect(found.length).toBeGreaterThan(count + 1);
    expect(found[0]).toMatchObject({ attempt: 1, outcome: 'Error', object: { kind: 'Namespace', name: 'guarded' } });
  });
  expect(await events()).toEqual(told);
});

test('retries abandoned work on request', async () => {
  await make('bad', 'bad');
  const failed = () => invocations('failed=true&function=mine&name=bad');
  await eventually(async () => expect(await failed()).toMatchObject([{ outcome: 'Terminal', message: 'it is bad' }]));
  isBroken = false;
  expect(await admin('POST', '/debug/davit/redrive', { reconciler: 'mine' })).toMatchObject({ body: { queued: 1 } });
  await eventually(async () => expect((await invocations('function=mine&name=bad')).at(-1)?.outcome).toBe('Done'));
  expect((await admin('POST', '/debug/davit/redrive', {})).body).toEqual({ queued: expect.any(Number) });
});

test('reconciles an object again on request', async () => {
  const before = (await invocations('function=mine&name=good')).length;
  const place = { namespace: 'default', name: 'good' };
  expect(await admin('POST', '/debug/davit/replay', { reconciler: 'mine', ...place })).toMatchObject({
    body: { queued: 1 },
  });
  await eventually(async () => expect(await invocations('function=mine&name=good')).toHaveLength(before + 1));
});

test.each([
  ['GET', `${INVOCATIONS}?limit=0`, undefined, 400],
  ['GET', `${INVOCATIONS}?reconciler=mine`, undefined, 400],
  ['POST', INVOCATIONS, {}, 405],
  ['GET', '/debug/davit/replay', undefined, 405],
  ['POST', '/debug/davit/replay', { reconciler: 'none', namespace: '', name: 'x' }, 404],
  ['POST', '/debug/davit/replay', { reconciler: 'mine' }, 400],
  ['POST', '/debug/davit/redrive', { reconciler: 'none' }, 404],
] as const)('%s %s is refused', async (method, path, body, code) => {
  expect((await admin(method, path, body)).status).toBe(code);
});

test('shows no invocation to a user without the permission', async () => {
  expect((await nobody('GET', INVOCATIONS)).status).toBe(403);
  expect((await nobody('POST', '/debug/davit/redrive', {})).status).toBe(403);
});

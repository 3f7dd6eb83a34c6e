import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';

const HERE = '/api/v1/namespaces/here';
let server: RunningApiserver;
let request: Requester;

beforeAll(async () => {
  server = await startApiserver();
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'here' } });
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  await made(`${HERE}/serviceaccounts`, { metadata: { name: 'strict', annotations }, secrets: [{ name: 'mine' }] });
  await made(`${HERE}/pods`, aPod({}));
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<void> {
  expect(await request('POST', path, object)).toMatchObject({ status: 201 });
}

const aPod = (container: JsonObject): JsonObject => ({
  metadata: { name: 'web' },
  spec: { serviceAccountName: 'strict', containers: [{ name: 'main', image: 'web', ...container }] },
});

test('a cluster-scoped custom object has no path in a namespace', async () => {
  const definition = simpleDefinition({ group: 'example.com', plural: 'things', kind: 'Thing' });
  const spec = { ...definition.spec, scope: 'Cluster' };
  await made('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { ...definition, spec });
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
  await eventually(async () => expect((await request('POST', '/apis/example.com/v1/things', thing)).status).toBe(201));
  const inside = '/apis/example.com/v1/namespaces/here/things';
  for (const [method, path, body] of [
    ['GET', inside],
    ['POST', inside, { ...thing, metadata: { name: 'b' } }],
    ['DELETE', inside],
    ['GET', `${inside}/a`],
    ['PATCH', `${inside}/a`, { metadata: { labels: { x: 'y' } } }],
    ['DELETE', `${inside}/a`],
  ] as const)
    expect(await request(method, path, body), `${method} ${path}`).toMatchObject({ status: 404 });
  expect(await request('GET', '/apis/example.com/v1/things/a')).toMatchObject({ status: 200 });
});

test('an ephemeral container reads no Secret that its account may not mount', async () => {
  const debugging = (name: string) =>
    request('PATCH', `${HERE}/pods/web/ephemeralcontainers?dryRun=All`, {
      spec: {
        ephemeralContainers: [
          { name: 'debug', image: 'web', env: [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'k' } } }] },
        ],
      },
    });
  expect(await debugging('mine')).toMatchObject({ status: 200 });
  expect(await debugging('other')).toMatchObject({ status: 403 });
});

test('envFrom reads no Secret that its account may not mount', async () => {
  const reading = (name: string) =>
    request('POST', `${HERE}/pods?dryRun=All`, {
      ...aPod({ envFrom: [{ secretRef: { name } }] }),
      metadata: { name: 'reader' },
    });
  expect(await reading('mine')).toMatchObject({ status: 201 });
  expect(await reading('other')).toMatchObject({ status: 403 });
});

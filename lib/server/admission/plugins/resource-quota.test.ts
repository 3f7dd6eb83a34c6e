import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, items } from '#lib/machinery/unstructured.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;

beforeAll(async () => {
  server = await startApiserver();
  request = requester(server);
});
afterAll(() => server.close());

const home = (namespace: string): string => `/api/v1/namespaces/${namespace}`;
const messageOf = ({ status, body }: Answer): string => `${status} ${String(body['message'])}`;

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

/** Creates a namespace whose quota has been counted. */
async function limited(namespace: string, hard: JsonObject, spec: JsonObject = {}): Promise<void> {
  await made('/api/v1/namespaces', { metadata: { name: namespace } });
  await eventually(async () =>
    expect((await request('GET', `${home(namespace)}/serviceaccounts/default`)).status).toBe(200),
  );
  await made(`${home(namespace)}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...spec } });
  await eventually(async () =>
    expect(Object.keys((await used(namespace)) ?? {}).length).toBe(Object.keys(hard).length),
  );
}

const statusOf = async (namespace: string): Promise<JsonObject | undefined> =>
  at((await request('GET', `${home(namespace)}/resourcequotas/q`)).body, 'status');
const used = async (namespace: string): Promise<JsonObject | undefined> => at(await statusOf(namespace), 'used');

const aPod = (name: string, requests: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }] },
});
const create = (namespace: string, pod: JsonObject, query = ''): Promise<Answer> =>
  request('POST', `${home(namespace)}/pods${query}`, pod);

test('counts objects that exist, are created and are deleted', async () => {
  await limited('life', { pods: '2', 'requests.cpu': '1', configmaps: '9', 'count/configmaps': '9' });
  expect(await statusOf('life')).toEqual({
    hard: { configmaps: '9', 'count/configmaps': '9', pods: '2', 'requests.cpu': '1' },
    used: { configmaps: '1', 'count/configmaps': '1', pods: '0', 'requests.cpu': '0' },
  });
  expect((await create('life', aPod('a', { cpu: '400m' }))).status).toBe(201);
  await eventually(async () => expect(await used('life')).toMatchObject({ pods: '1', 'requests.cpu': '400m' }));
  expect(messageOf(await create('life', aPod('b', { cpu: '700m' })))).toBe(
    '403 pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=700m, used: requests.cpu=400m, limited: requests.cpu=1',
  );
  expect(messageOf(await create('life', aPod('b')))).toBe(
    '403 pods "b" is forbidden: failed quota: q: must specify requests.cpu for: c',
  );
  await request('DELETE', `${home('life')}/pods/a`);
  await eventually(async () => expect(await used('life')).toMatchObject({ pods: '0', 'requests.cpu': '0' }));
});

describe('32 concurrent writers', () => {
  test('use exactly the quota while other objects are deleted', async () => {
    await limited('busy', { 'count/configmaps': '11' });
    const make = (name: string): Promise<Answer> =>
      request('POST', `${home('busy')}/configmaps`, { metadata: { name } });
    const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => make(`m${i}`)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(10);
    expect(answers.filter(({ status }) => status !== 201).map(messageOf)[0]).toMatch(
      /^403 configmaps "m\d+" is forbidden: exceeded quota: q, requested: count\/configmaps=1, used: count\/configmaps=11, limited: count\/configmaps=11$/,
    );
    let most = 0;
    const worker = async (id: number): Promise<void> => {
      for (let round = 0; round < 4; round++) {
        await make(`w${id}-${round}`);
        most = Math.max(most, items((await request('GET', `${home('busy')}/configmaps`)).body, 'items').length);
        await request('DELETE', `${home('busy')}/configmaps/${round % 2 === 0 ? `m${id}` : `w${id}-${round - 1}`}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, id) => worker(id)));
    expect(most).toBeLessThanOrEqual(11);
    const left = items((await request('GET', `${home('busy')}/configmaps`)).body, 'items').length;
    await eventually(async () => expect(await used('busy')).toEqual({ 'count/configmaps': String(left) }));
    for (let i = left; i < 11; i++) expect((await make(`last${i}`)).status).toBe(201);
    expect((await make('beyond')).status).toBe(403);
  });
});

test('keep no reservation for rejected, repeated and dry-run writes', async () => {
  await limited('tidy', { secrets: '2' });
  const make = (name: string, query = ''): Promise<Answer> =>
    request('POST', `${home('tidy')}/secrets${query}`, { metadata: { name } });
  expect((await make('a')).status).toBe(201);
  for (let i = 0; i < 3; i++) expect((await make('b', '?dryRun=All')).status).toBe(201);
  for (let i = 0; i < 3; i++) expect((await make('a')).status).toBe(409);
  expect((await make('b')).status).toBe(201);
  expect((await make('c', '?dryRun=All')).status).toBe(403);
  await eventually(async () => expect(await used('tidy')).toEqual({ secrets: '2' }));
});

test('counts custom objects, even of a later definition', async () => {
  await made('/api/v1/namespaces', { metadata: { name: 'custom' } });
  const hard = { 'count/widgets.quota.davit.test': '1' };
  await made('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.quota.davit.test' },
    spec: {
      group: 'quota.davit.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const path = '/apis/quota.davit.test/v1/namespaces/custom/widgets';
  await eventually(async () => expect((await request('GET', path)).status).toBe(200));
  await made(`${home('custom')}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
  await eventually(async () => expect(await used('custom')).toEqual({ 'count/widgets.quota.davit.test': '0' }));
  const widget = (name: string): JsonObject => ({
    apiVersion: 'quota.davit.test/v1',
    kind: 'Widget',
    metadata: { name },
  });
  await made(path, widget('a'));
  expect(messageOf(await request('POST', path, widget('b')))).toBe(
    '403 widgets.quota.davit.test "b" is forbidden: exceeded quota: q, requested: count/widgets.quota.davit.test=1, used: count/widgets.quota.davit.test=1, limited: count/widgets.quota.davit.test=1',
  );
});

test('counts a changed limit and a changed type of a service', async () => {
  await limited('ports', { services: '2', 'services.nodeports': '1' });
  const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
  await made(`${home('ports')}/services`, service);
  await eventually(async () => expect(await used('ports')).toEqual({ services: '1', 'services.nodeports': '1' }));
  const other = { metadata: { name: 't' }, spec: { ports: [{ port: 80 }] } };
  await made(`${home('ports')}/services`, other);
  const expose = (): Promise<Answer> => request('PATCH', `${home('ports')}/services/t`, { spec: { type: 'NodePort' } });
  expect(messageOf(await expose())).toContain(
    'exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=1',
  );
  await request('PATCH', `${home('ports')}/services/s`, { spec: { type: 'ClusterIP' } });
  await eventually(async () => expect(await used('ports')).toEqual({ services: '2', 'services.nodeports': '0' }));
  expect((await expose()).status).toBe(200);
  await request('PATCH', `${home('ports')}/resourcequotas/q`, { spec: { hard: { 'services.nodeports': '7' } } });
  await eventually(async () =>
    expect(at(await statusOf('ports'), 'hard')).toEqual({ services: '2', 'services.nodeports': '7' }),
  );
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, objectAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const HERE = '/api/v1/namespaces/default';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const APPLY = 'application/apply-patch+yaml';
let server: RunningApiserver;
let admin: Requester;
let panda: Requester;
let applier: Requester;

const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } };
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec: {} };
const apply = () => applier('PATCH', `${HERE}/configmaps/a?fieldManager=m`, config);
const replace = (resourceVersion?: Json) =>
  panda('PUT', `${LEASES}/a`, { ...lease, metadata: { name: 'a', ...(resourceVersion && { resourceVersion }) } });

beforeAll(async () => {
  server = await startApiserver({ controllers: false, tokens: new Map([['pandas', { name: 'panda', groups: [] }]]) });
  admin = requester(server);
  panda = requester(server, { authorization: 'Bearer pandas' });
  applier = requester(server, { authorization: 'Bearer pandas', 'content-type': APPLY });
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update'] },
  ];
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'panda' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'change' };
  await admin('POST', `${RBAC}/clusterroles`, { metadata: { name: 'change' }, rules });
  await admin('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'change' }, roleRef, subjects });
});
afterAll(() => server.close());

test.each([
  ['apply', apply, 'configmaps "a" is forbidden: User "panda" cannot create resource "configmaps" in API group ""'],
  ['replace', () => replace(), 'User "panda" cannot create resource "leases" in API group "coordination.k8s.io"'],
])('a user with only update permission cannot create: %s', async (_, write, message) => {
  const answer = await write();
  expect(answer).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  expect((answer.body as { message: string }).message).toContain(message);
});

test('a user with only update permission changes existing objects, and sees invalid input rejected first', async () => {
  await admin('POST', `${HERE}/configmaps`, { metadata: { name: 'a' } });
  const { body } = await admin('POST', LEASES, { metadata: { name: 'a' } });
  expect(await apply()).toMatchObject({ status: 200 });
  expect(await replace(objectAt(body, 'metadata')?.['resourceVersion'])).toMatchObject({ status: 200 });
  const wrong = { ...config, metadata: { name: 'b' }, data: { '/': 'b' } };
  expect(await applier('PATCH', `${HERE}/configmaps/b?fieldManager=m`, wrong)).toMatchObject({ status: 422 });
});

test('rejects a deletion of objects in all namespaces', async () => {
  expect(await admin('DELETE', '/api/v1/configmaps')).toMatchObject({
    status: 405,
    body: { reason: 'MethodNotAllowed' },
  });
  expect(await admin('GET', `${HERE}/configmaps/a`)).toMatchObject({ status: 200 });
});

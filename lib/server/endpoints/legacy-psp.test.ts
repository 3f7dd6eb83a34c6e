import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrayAt, isObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let plain: RunningApiserver;
const PATH = '/apis/policy/v1beta1/podsecuritypolicies';

beforeAll(async () => {
  server = await startApiserver({ controllers: false, legacyPsp: true });
  plain = await startApiserver({ controllers: false });
});
afterAll(async () => {
  await server.close();
  await plain.close();
});

test('lists PodSecurityPolicies in discovery after the rest of their group', async () => {
  const request = requester(server);
  const { body } = await request('GET', '/apis/policy/v1beta1');
  expect(body).toMatchObject({
    groupVersion: 'policy/v1beta1',
    resources: [{ name: 'podsecuritypolicies', kind: 'PodSecurityPolicy', namespaced: false, shortNames: ['psp'] }],
  });
  const group = (await request('GET', '/apis/policy')).body;
  const versions = arrayAt(group, 'versions').filter(isObject);
  expect(versions.map(({ version }) => version)).toEqual(['v1', 'v1beta1']);
  expect(group['preferredVersion']).toMatchObject({ version: 'v1' });
});

test.each([
  ['GET', PATH, ''],
  ['GET', `${PATH}/restricted`, 'restricted'],
  ['POST', PATH, ''],
  ['DELETE', `${PATH}/restricted`, 'restricted'],
])('returns a pointer to Pod Security for %s %s', async (method, path, name) => {
  const { status, body } = await requester(server)(method, path, method === 'POST' ? {} : undefined);
  expect([status, body['message']]).toEqual([
    422,
    `PodSecurityPolicy.policy "${name}" is invalid: kind: Forbidden: was removed in Kubernetes 1.25; Pod Security is in its place: label namespaces with pod-security.kubernetes.io/enforce`,
  ]);
});

test('serves no PodSecurityPolicies by default', async () => {
  expect((await requester(plain)('GET', PATH)).status).toBe(404);
  expect((await requester(server)('GET', PATH.replace('v1beta1', 'v1'))).status).toBe(404);
});

import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import { arrayAt, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

const HERE = '/api/v1/namespaces/here';
const REVIEW = '/apis/authentication.k8s.io/v1/tokenreviews';
let server: RunningApiserver;
let admin: Requester;
beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  admin = requester(server);
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  for (const name of ['sa', 'brief']) await admin('POST', `${HERE}/serviceaccounts`, { metadata: { name } });
  const spec = {
    serviceAccountName: 'sa',
    containers: [{ name: 'main', image: 'web' }],
    terminationGracePeriodSeconds: 0,
  };
  await admin('POST', `${HERE}/pods`, { metadata: { name: 'pod' }, spec });
});
afterAll(() => server.close());

async function tokenOf(account: string, spec: JsonObject = {}): Promise<string> {
  const { body } = await admin('POST', `${HERE}/serviceaccounts/${account}/token`, { spec });
  return stringAt(objectAt(body, 'status'), 'token') ?? String(body['message']);
}

const as = (token: string): Requester => requester(server, { authorization: `Bearer ${token}` });
/** The server returns 401 for an unknown token. It rejects an authenticated user with a message that contains the user name. */
const whoIs = (token: string): Promise<Answer> => as(token)('GET', `${HERE}/configmaps`);
const review = async (token: string, audiences?: string[]) =>
  objectAt((await admin('POST', REVIEW, { spec: { token, ...defined({ audiences }) } })).body, 'status');

test('a token authenticates its account at every endpoint and in a review', async () => {
  const token = await tokenOf('sa');
  const { status, body } = await whoIs(token);
  expect(status).toBe(403);
  expect(body['message']).toContain('User "system:serviceaccount:here:sa" cannot list');
  expect(await review(token)).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:here:sa' },
    audiences: ['https://kubernetes.default.svc.cluster.local'],
  });
});

test('the published keys verify a token', async () => {
  const { body: configuration } = await admin('GET', '/.well-known/openid-configuration');
  expect(configuration['jwks_uri']).toBe(`https://127.0.0.1:${server.port}/openid/v1/jwks`);
  const { body } = await admin('GET', '/openid/v1/jwks');
  const [header = '', claims = '', signature = ''] = (await tokenOf('sa')).split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const jwk = arrayAt(body, 'keys').find((key) => (key as JsonObject)['kid'] === kid) as JsonWebKey;
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
});

describe('a token for another audience', () => {
  test('is not accepted here, but is valid in a review for that audience', async () => {
    const token = await tokenOf('sa', { audiences: ['vault'] });
    expect((await whoIs(token)).status).toBe(401);
    expect(await review(token, ['vault', 'other'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect(await review(token)).toMatchObject({
      user: {},
      error: expect.stringContaining('token audiences ["vault"]'),
    });
  });
});

describe('a token ends', () => {
  test('is invalid after its pod is deleted', async () => {
    const token = await tokenOf('sa', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'pod' } });
    expect((await whoIs(token)).status).toBe(403);
    await admin('DELETE', `${HERE}/pods/pod`);
    const { status, body } = await whoIs(token);
    expect([status, body['message']]).toEqual([401, 'Unauthorized']);
  });

  test('is invalid after its account is deleted, even if one of the same name follows', async () => {
    const token = await tokenOf('brief');
    await admin('DELETE', `${HERE}/serviceaccounts/brief`);
    expect((await whoIs(token)).status).toBe(401);
    await admin('POST', `${HERE}/serviceaccounts`, { metadata: { name: 'brief' } });
    expect((await whoIs(token)).status).toBe(401);
  });
});

test('rejects a token with another key, another spelling or no signature', async () => {
  const [header = '', claims = '', signature = ''] = (await tokenOf('sa')).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const shown = [
    `${none}.${claims}.`,
    `${none}.${claims}.${signature}`,
    `${header}.${claims}.${'A'.repeat(86)}`,
    `${header}.${claims}`,
  ];
  const statuses = await Promise.all(shown.map(async (token) => (await whoIs(token)).status));
  expect(statuses).toEqual([401, 401, 401, 401]);
});

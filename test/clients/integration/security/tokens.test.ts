import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { exchanged, rawStatus, whoIs } from './exchange.ts';

const HERE = '/api/v1/namespaces/here';
const NOBODY = '';
let server: RunningApiserver;
let admin: Requester;

beforeAll(async () => {
  server = await startApiserver({
    controllers: false,
    tokens: new Map([['bobs', { name: 'bob', groups: [] }]]),
    authentication: { anonymous: { paths: ['/livez'] } },
  });
  admin = requester(server);
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  for (const name of ['sa', 'default']) await admin('POST', `${HERE}/serviceaccounts`, { metadata: { name } });
  const review = { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] };
  await grant('who', review, { kind: 'Group', name: 'system:authenticated' });
});
afterAll(() => server.close());

async function grant(name: string, rule: JsonObject, subject: JsonObject): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  await admin('POST', `/apis/${apiGroup}/v1/clusterroles`, { metadata: { name }, rules: [rule] });
  await admin('POST', `/apis/${apiGroup}/v1/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup, ...subject }],
  });
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const SA = 'system:serviceaccount:here:sa';

async function tokenOf(spec: JsonObject = {}): Promise<string> {
  const { body } = await admin('POST', `${HERE}/serviceaccounts/sa/token`, { spec });
  return stringAt(objectAt(body, 'status'), 'token') ?? String(body['message']);
}

const POD = {
  metadata: { name: 'bound' },
  spec: { serviceAccountName: 'sa', terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
};

describe('bound objects of a token', () => {
  test.each<[string, string, JsonObject]>([
    ['Pod', `${HERE}/pods`, POD],
    ['Secret', `${HERE}/secrets`, { metadata: { name: 'bound' } }],
    ['Node', '/api/v1/nodes', { metadata: { name: 'bound' } }],
  ])('%s: another object of the same name does not count', async (kind, path, object) => {
    await admin('POST', path, object);
    const token = await tokenOf({ boundObjectRef: { kind, apiVersion: 'v1', name: 'bound' } });
    expect(await whoIs(server, bearer(token))).toBe(SA);
    await admin('DELETE', `${path}/bound`);
    expect(await whoIs(server, bearer(token))).toBe(NOBODY);
    expect((await admin('POST', path, object)).status).toBe(201);
    expect(await whoIs(server, bearer(token))).toBe(NOBODY);
  });

  test.each<[string, JsonObject]>([
    ['a pod of another account', { kind: 'Pod', apiVersion: 'v1', name: 'stranger' }],
    ['a pod of another uid', { kind: 'Pod', apiVersion: 'v1', name: 'bound', uid: 'other' }],
    ['an object of any other kind', { kind: 'ConfigMap', apiVersion: 'v1', name: 'bound' }],
    ['a pod of another namespace, by its name', { kind: 'Pod', apiVersion: 'v1', name: '../default/bound' }],
    ['nothing', {}],
  ])('issues no token for %s', async (_, boundObjectRef) => {
    const spec = { ...POD.spec, serviceAccountName: 'default' };
    const stranger = await admin('POST', `${HERE}/pods`, { ...POD, metadata: { name: 'stranger' }, spec });
    expect([201, 409]).toContain(stranger.status);
    const { status } = await admin('POST', `${HERE}/serviceaccounts/sa/token`, { spec: { boundObjectRef } });
    expect([400, 404, 409]).toContain(status);
  });
});

describe('a request for a token', () => {
  const token = `${HERE}/serviceaccounts/sa/token`;
  const ofPod = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'lives' } };
  const claimsOf = (jwt: string) =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;

  test.each<[string, JsonObject, number]>([
    ['of another account', { metadata: { name: 'other' } }, 422],
    ['of another namespace', { metadata: { namespace: 'default' } }, 400],
    ['of another uid', { metadata: { uid: 'other' } }, 409],
    ['for a moment', { spec: { expirationSeconds: 599 } }, 422],
    ['for ever', { spec: { expirationSeconds: 2 ** 32 + 1 } }, 422],
    ['for less than nothing', { spec: { expirationSeconds: -1 } }, 422],
  ])('is rejected: %s', async (_, body, status) => {
    expect((await admin('POST', token, { spec: {}, ...body })).status).toBe(status);
  });

  test('is for pods of its namespace', async () => {
    await admin('POST', '/api/v1/namespaces', { metadata: { name: 'there' } });
    await admin('POST', '/api/v1/namespaces/there/serviceaccounts', { metadata: { name: 'sa' } });
    await admin('POST', `${HERE}/pods`, { ...POD, metadata: { name: 'lives' } });
    const { status } = await admin('POST', '/api/v1/namespaces/there/serviceaccounts/sa/token', { spec: ofPod });
    expect(status).toBe(404);
  });

  test('is not allowed for the account itself', async () => {
    const own = requester(server, { authorization: `Bearer ${await tokenOf()}` });
    expect((await own('POST', token, { spec: {} })).status).toBe(403);
  });

  test.each<[string, JsonObject, number]>([
    ['of a mounted token is for a year, of which an hour is told', { expirationSeconds: 3607 }, 31_536_000],
    ['for others is for as long as it says', { expirationSeconds: 3607, audiences: ['vault'] }, 3607],
    ['of any other time is for that', { expirationSeconds: 3600 }, 3600],
  ])('has the right lifetime: one %s', async (_, spec, seconds) => {
    const { body } = await admin('POST', token, { spec: { ...spec, ...ofPod } });
    const { exp, iat } = claimsOf(stringAt(objectAt(body, 'status'), 'token') ?? '') as { exp: number; iat: number };
    expect(exp - iat).toBe(seconds);
    const told = Date.parse(stringAt(objectAt(body, 'status'), 'expirationTimestamp') ?? '') / 1000;
    expect(told - iat).toBe(Number(spec['expirationSeconds']));
  });
});

describe('audiences of a token', () => {
  test.each<[string, string[], string]>([
    ['none are those of this server', [], SA],
    ['an empty one is none of them', [''], NOBODY],
    ['another spelling is none of them', ['https://kubernetes.default.svc.cluster.local/'], NOBODY],
    ['another case is none of them', ['https://KUBERNETES.default.svc.cluster.local'], NOBODY],
    ['one of several is enough', ['vault', 'https://kubernetes.default.svc.cluster.local'], SA],
  ])('are checked: %s', async (_, audiences, known) => {
    expect(await whoIs(server, bearer(await tokenOf({ audiences })))).toBe(known);
  });
});

describe('a token of a browser', () => {
  const encoded = (token: string): string =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const status = async (protocols: string, more: Record<string, string> = upgrade): Promise<number> => {
    const lines = Object.entries({ host: 'x', ...more, 'sec-websocket-protocol': protocols });
    return rawStatus(
      server,
      `${HERE}/pods`,
      lines.map(([name, value]) => `${name}: ${value}`),
    );
  };

  test.each<[string, string, number]>([
    ['with a protocol to answer with', `v4.channel.k8s.io, ${encoded('bobs')}`, 403],
    ['alone', encoded('bobs'), 401],
    ['twice', `v4.channel.k8s.io, ${encoded('bobs')}, ${encoded('bobs')}`, 401],
    ['unknown', `v4.channel.k8s.io, ${encoded('guessed')}`, 401],
    ['in no base64', 'v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.a=b', 401],
  ])('has the expected status %s', async (_, protocols, expected) => {
    expect(await status(protocols)).toBe(expected);
  });

  test('is ignored without a WebSocket', async () => {
    expect(await status(`v4.channel.k8s.io, ${encoded('bobs')}`, {})).toBe(401);
  });
});

describe('a header twice', () => {
  const both = (first: string, second: string) => ['Host: x', `Authorization: ${first}`, `Authorization: ${second}`];

  test('only counts with its first value', async () => {
    expect(await rawStatus(server, `${HERE}/pods`, both('Bearer bobs', `Bearer ${server.adminToken}`))).toBe(403);
    expect(await rawStatus(server, `${HERE}/pods`, both('Basic x', `Bearer ${server.adminToken}`))).toBe(401);
  });
});

describe('impersonated users of a request', () => {
  const WHO = '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}';
  const REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const impersonated = async (headers: Record<string, string | string[]>) => {
    const shown = { authorization: `Bearer ${server.adminToken}`, ...headers };
    const { status, body } = await exchanged(server, REVIEW, { method: 'POST', body: WHO, headers: shown });
    const info = objectAt(objectAt(JSON.parse(body) as JsonObject, 'status'), 'userInfo');
    return { status, info };
  };

  test.each<[string, Record<string, string>]>([
    ['a uid', { 'impersonate-uid': '0' }],
    ['a group', { 'impersonate-group': 'system:masters' }],
    ['an extra', { 'impersonate-extra-a': 'b' }],
    ['a user of no name', { 'impersonate-user': '', 'impersonate-group': 'system:masters' }],
  ])('are rejected if the request has only %s', async (_, headers) => {
    expect((await impersonated(headers)).status).toBe(400);
  });

  test('treats two spellings of an extra key as one', async () => {
    const { info } = await impersonated({
      'impersonate-user': 'amy',
      'impersonate-extra-acme.org%2fa': '1',
      'impersonate-extra-acme.org%2f%61': '2',
    });
    expect(objectAt(info, 'extra')).toEqual({ 'acme.org/a': ['1', '2'] });
  });

  test('treats __proto__ like any other key', async () => {
    const { info } = await impersonated({ 'impersonate-user': 'amy', 'impersonate-extra-__proto__': 'x' });
    expect(Object.keys(objectAt(info, 'extra') ?? {})).toEqual(['__proto__']);
  });

  test('does not split a group name at a comma', async () => {
    const { info } = await impersonated({ 'impersonate-user': 'amy', 'impersonate-group': 'a,system:masters' });
    expect(info?.['groups']).toEqual(['a,system:masters', 'system:authenticated']);
  });

  test('rejects more groups than a header may hold before an authorizer is asked', async () => {
    const groups = Array.from({ length: 20_000 }, (_, i) => `Impersonate-Group: group-${i}`.padEnd(100, 'x'));
    const lines = ['Host: x', 'Authorization: Bearer bobs', 'Impersonate-User: amy', ...groups];
    expect([400, 431, 0]).toContain(await rawStatus(server, `${HERE}/pods`, lines).catch(() => 0));
  });
});

test('a user who may write a status changes only the status', async () => {
  const rule = { apiGroups: [''], resources: ['pods/status', 'namespaces/status'], verbs: ['update', 'patch'] };
  await grant('status', rule, { kind: 'User', name: 'bob' });
  const bob = requester(server, { authorization: 'Bearer bobs' });
  const path = `${HERE}/pods/bound`;
  const before = (await admin('GET', path)).body;
  const spec = { containers: [{ name: 'c', image: 'evil' }], serviceAccountName: 'other' };
  const { status, body } = await bob('PATCH', `${path}/status`, { spec, status: { message: 'mine' } });
  expect(status).toBe(200);
  expect(body['spec']).toEqual(before['spec']);
  expect((await bob('PATCH', path, { spec })).status).toBe(403);
  const ended = await bob('PATCH', `/api/v1/namespaces/here/status`, { spec: { finalizers: [] } });
  expect(objectAt(ended.body, 'spec')).toEqual({ finalizers: ['kubernetes'] });
});

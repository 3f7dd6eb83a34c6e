import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { checkCreateRight } from './create-right.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const PODS = '/api/v1/namespaces/here/pods';
const STREAMS = ['exec', 'attach', 'portforward'];
const WEB_SOCKET = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
let server: RunningApiserver;
let admin: Requester;

const user = (name: string): [string, { name: string; groups: string[] }] => [`token-of-${name}`, { name, groups: [] }];
const as = (name: string, headers = {}): Requester =>
  requester(server, { authorization: `Bearer token-of-${name}`, ...headers });

beforeAll(async () => {
  server = await startApiserver({ controllers: false, tokens: new Map([user('reader'), user('runner')]) });
  admin = requester(server);
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  await admin('POST', '/api/v1/namespaces/here/serviceaccounts', { metadata: { name: 'default' } });
  await admin('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  await admin('POST', PODS, {
    metadata: { name: 'p' },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
  });
  await grant('reader', ['get']);
  await grant('runner', ['get', 'create']);
});
afterAll(() => server.close());

async function grant(name: string, verbs: string[]): Promise<void> {
  const streams = [...STREAMS, 'log', 'proxy'].map((one) => `pods/${one}`);
  const rules = [{ apiGroups: [''], resources: [...streams, 'nodes/proxy'], verbs }];
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await admin('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules });
  await admin('POST', `${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
}

describe.each(STREAMS)('the subresource pods/%s', (subresource) => {
  const refused = { status: 403, body: { reason: 'Forbidden', message: 'pods "p" is forbidden: ' } };

  test.each([
    ['a GET', {}],
    ['a WebSocket', WEB_SOCKET],
  ])('requires the right to create for %s', async (_, headers) => {
    expect(await as('reader', headers)('GET', `${PODS}/p/${subresource}`)).toMatchObject(refused);
    const answer = await as('runner', headers)('GET', `${PODS}/p/${subresource}`);
    // A user with the right reaches the lookup of the node, which has no address.
    expect(answer).toMatchObject({
      status: 500,
      body: { message: 'no preferred addresses found; known addresses: []' },
    });
  });

  test('does not reveal which pods exist', async () => {
    const { status, body } = await as('reader')('GET', `${PODS}/none/${subresource}`);
    expect([status, body['message']]).toEqual([403, 'pods "none" is forbidden: ']);
    expect((await as('runner')('GET', `${PODS}/none/${subresource}`)).status).toBe(404);
  });

  test('rejects a dry run earlier', async () => {
    expect((await as('reader')('GET', `${PODS}/p/${subresource}?dryRun=All`)).status).toBe(400);
  });
});

test('requires the right to create for a WebSocket to a node, which can run commands through it', async () => {
  const path = '/api/v1/nodes/n1/proxy/exec/here/p/c?command=id&output=1';
  const { status, body } = await as('reader', WEB_SOCKET)('GET', path);
  expect([status, body['message']]).toEqual([403, 'nodes "n1" is forbidden: ']);
  expect((await as('runner', WEB_SOCKET)('GET', path)).status).toBe(500);
  expect((await as('reader')('GET', path)).status).toBe(500);
});

test.each([
  ['log', {}],
  ['log', { ...WEB_SOCKET, 'sec-websocket-key': 'x' }],
  ['proxy', {}],
])('requires only the right to get for pods/%s, with %j', async (subresource, headers) => {
  expect((await as('reader', headers)('GET', `${PODS}/p/${subresource}`)).status).not.toBe(403);
});

test('returns 500 if the authorizer fails', async () => {
  const fails: Authorizer = async () => ({ decision: 'noOpinion', reason: '', error: 'no answer' });
  const context = aRequestContext({ path: `${PODS}/p/exec` });
  await expect(checkCreateRight(fails, context)).rejects.toMatchObject({
    code: 500,
    message: 'no answer',
  });
});

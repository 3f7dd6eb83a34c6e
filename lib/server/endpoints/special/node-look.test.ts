import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import { NETWORK_TYPES } from '#lib/server/channel/followed-types.ts';
import { type Interests, interestsIn, isFollowing } from '#lib/server/channel/interests.ts';
import { decodeLook, type NodeLook } from '#lib/server/channel/look.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';

const NODE = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const tokens = new Map([
  ['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }],
  ['node', NODE],
]);
const HERE = '/api/v1/namespaces/here';
const LOOK = '/apis/node.davit.dev/v1/nodes/n1/look';

let server: Apiserver;
/** The interests that were stored, in order. */
let kept: Interests[];
let keepsNothing: boolean;
const backends: Backends = {
  roundTripper: { send: () => Promise.reject(new Error('no kubelet is asked')) },
  preferredAddressTypes: [],
  interests: {
    keep: async (node, interests) => {
      if (keepsNothing) throw new Error('throttled');
      expect(node).toBe('n1');
      kept.push(interests);
    },
  },
};
beforeEach(async () => {
  [kept, keepsNothing] = [[], false];
  ({ server } = serverInProcess({ clock: new ManualClock(), tokens, backends }));
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  for (const name of ['used', 'other']) await ask('POST', `${HERE}/secrets`, { metadata: { name } });
  await ask('POST', `${HERE}/serviceaccounts`, { metadata: { name: 'default' } });
  await aPod('mine', 'n1');
  await aPod('theirs', 'n2');
});
afterEach(() => server.close());

async function ask(method: string, target: string, body?: object, token = 'admin'): Promise<Answer> {
  const [path = '', query = ''] = target.split('?');
  const answer = await server.handle({
    method,
    path,
    query: new URLSearchParams(query),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    body: async () => Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  });
  return { status: answer.status, body: JSON.parse(String(answer.body)) as Answer['body'] };
}

interface Answer {
  readonly status: number;
  readonly body: { readonly message?: string; readonly metadata: { readonly resourceVersion: string } };
}

function aPod(name: string, nodeName: string): Promise<Answer> {
  const containers = [{ name: 'main', image: 'web', envFrom: [{ secretRef: { name: 'used' } }] }];
  return ask('POST', `${HERE}/pods`, { metadata: { name }, spec: { nodeName, containers } });
}

async function look(query = ''): Promise<NodeLook> {
  const { status, body } = await ask('GET', `${LOOK}${query}`, undefined, 'node');
  expect(status).toBe(200);
  return decodeLook(body);
}

/** Returns the query of an agent that already has everything in the earlier response. */
const knowing = (before: NodeLook): string =>
  `?${new URLSearchParams({
    pods: before.pods.version,
    secrets: before.secrets.version,
    configmaps: before.configmaps.version,
  }).toString()}`;

test("returns the versions of exactly the node's pods and the objects to which they refer", async () => {
  const first = await look();
  const { body: pod } = await ask('GET', `${HERE}/pods/mine`);
  const { body: secret } = await ask('GET', `${HERE}/secrets/used`);
  expect(first.pods.objects).toEqual({ 'here/mine': pod.metadata.resourceVersion });
  expect(first.secrets.objects).toEqual({ 'here/used': secret.metadata.resourceVersion });
  expect(first.configmaps.objects).toEqual({});
  expect(first.services).toEqual({ version: expect.stringMatching(/^\d+$/) });
});

test('omits the objects of types whose version the agent already has', async () => {
  const first = await look();
  const second = await look(knowing(first));
  expect(second).toEqual({
    ...first,
    pods: { version: first.pods.version },
    secrets: { version: first.secrets.version },
    configmaps: { version: first.configmaps.version },
  });
  await ask('PATCH', `${HERE}/secrets/used`, { data: { a: 'Yg==' } });
  const third = await look(knowing(first));
  expect(third.pods).toEqual({ version: first.pods.version });
  expect(Number(third.secrets.objects?.['here/used'])).toBeGreaterThan(Number(first.secrets.objects?.['here/used']));
});

test('omits a deleted pod', async () => {
  const first = await look();
  await ask('DELETE', `${HERE}/pods/mine`, { gracePeriodSeconds: 0 });
  const second = await look(knowing(first));
  expect(second.pods.objects).toEqual({});
});

test.each([
  ['of another node', '/apis/node.davit.dev/v1/nodes/n2/look', 'node', 403],
  ['without an identity', LOOK, 'nobody', 401],
  ['with a version that is none', `${LOOK}?pods=new`, 'node', 400],
  ['with a version of a type of the network that is none', `${LOOK}?endpointslices=new`, 'node', 400],
  ['without a version of a type that is not a network type', `${LOOK}?pods=`, 'node', 400],
  ['in another version', '/apis/node.davit.dev/v2/nodes/n1/look', 'admin', 404],
  ['below it', `${LOOK}/more`, 'admin', 404],
])('rejects a poll %s', async (_, path, token, status) => {
  expect((await ask('GET', path, undefined, token)).status).toBe(status);
});

const USED = interestsIn([
  { type: 'secrets', namespace: 'here', name: 'used' },
  { type: 'configmaps', namespace: 'here', name: 'kube-root-ca.crt' }, // from the volume with the pod's token
]);

test('stores the interests of an agent that wants notifications: the objects to which its pods refer', async () => {
  const { interests } = await look('?interests=');
  expect(kept).toEqual([USED]);
  expect(interests).toMatch(/^[\w-]{8}$/);
});

test('stores no interests of an agent that wants no notifications', async () => {
  expect((await look()).interests).toBeUndefined();
  expect(kept).toEqual([]);
});

test('stores interests again only if the agent has different ones', async () => {
  const { interests = '', ...first } = await look('?interests=');
  expect((await look(`${knowing(first)}&interests=${interests}`)).interests).toBeUndefined();
  await ask('PATCH', `${HERE}/secrets/used`, { data: { a: 'Yg==' } });
  expect((await look(`${knowing(first)}&interests=${interests}`)).interests).toBeUndefined();
  expect(kept).toEqual([USED]);
  await ask('DELETE', `${HERE}/pods/mine`, { gracePeriodSeconds: 0 });
  expect((await look(`${knowing(first)}&interests=${interests}`)).interests).not.toBe(interests);
  expect(kept).toEqual([USED, interestsIn([])]);
});

test('stores interests for a new connection even if the agent has all versions', async () => {
  const first = await look();
  const second = await look(`${knowing(first)}&interests=`);
  expect(kept).toEqual([USED]);
  expect(second.pods.objects).toBeUndefined();
});

test('completes a poll if interests cannot be stored, and makes the agent poll again', async () => {
  keepsNothing = true;
  const { interests, pods } = await look('?interests=');
  expect(interests).toBe('');
  expect(Object.keys(pods.objects ?? {})).toEqual(['here/mine']);
});

test('rejects an invalid poll response', () => {
  expect(() => decodeLook({ kind: 'Status' })).toThrow('the server answers with no look');
});

test('returns the version of the Node itself if it exists', async () => {
  expect((await look()).nodes).toBeUndefined();
  const { body } = await ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  expect((await look()).nodes).toEqual({ version: body.metadata.resourceVersion });
});

test('returns network types only if the agent requests them', async () => {
  const plain = await look();
  for (const type of NETWORK_TYPES) expect(plain).not.toHaveProperty(type);
  const asked = await look('?endpointslices=&allpods=&allnodes=&namespaces=');
  expect(asked.allpods).toEqual({ version: plain.pods.version });
  expect(asked.networkpolicies).toBeUndefined();
  await ask('POST', '/api/v1/nodes', { metadata: { name: 'n2' } });
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'new' } });
  const again = await look('?endpointslices=&allpods=&allnodes=&namespaces=');
  expect(again.endpointslices).toEqual(asked.endpointslices);
  for (const type of ['allnodes', 'namespaces'] as const)
    expect(Number(again[type]?.version)).toBeGreaterThan(Number(asked[type]?.version));
});

test("includes the types that the node's network follows in its interests", async () => {
  await look('?interests=&endpointslices=&namespaces=1');
  const [interests = ''] = kept;
  expect(NETWORK_TYPES.filter((type) => isFollowing(interests, type))).toEqual(['namespaces', 'endpointslices']);
});

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { signingKey } from '#lib/server/authentication/key.ts';
import { tokenIssuer } from '#lib/server/authentication/token-issuer.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;
const HERE = '/api/v1/namespaces/here';
const PODS = `${HERE}/pods`;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'here' } });
  await made(`${HERE}/serviceaccounts`, { metadata: { name: 'default' } });
  await made('/api/v1/nodes', { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'a' } } });
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

const messageOf = ({ status, body }: Answer): string => `${status} ${String(body['message'])}`;
const aPod = (name: string, spec: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'web' }], terminationGracePeriodSeconds: 0, ...spec },
});
const read = async (path: string): Promise<JsonObject> => (await request('GET', path)).body;
const conditionOf = (object: JsonObject, type: string): JsonObject | undefined =>
  items(at(object, 'status'), 'conditions').find((one) => one['type'] === type);

describe('the endpoint pods/binding', () => {
  const bind = (name: string, metadata: JsonObject = {}, target: JsonObject = { kind: 'Node', name: 'n1' }) =>
    request('POST', `${PODS}/${name}/binding`, { metadata: { name, ...metadata }, target });

  test('assigns the node to the pod', async () => {
    await made(PODS, aPod('free'));
    const annotations = { why: 'it fits' };
    const { status, body } = await bind('free', { annotations });
    expect([status, body]).toMatchObject([201, { kind: 'Status', status: 'Success', code: 201 }]);
    const pod = await read(`${PODS}/free`);
    expect(at(pod, 'spec')).toMatchObject({ nodeName: 'n1' });
    expect(at(pod, 'metadata')).toMatchObject({ annotations, labels: { 'topology.kubernetes.io/zone': 'a' } });
    expect(conditionOf(pod, 'PodScheduled')).toMatchObject({ status: 'True' });
  });

  test('removes the reason for which the pod was not scheduled before', async () => {
    await made(PODS, aPod('late'));
    const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no nodes' };
    await request('PATCH', `${PODS}/late/status`, { status: { conditions: [unschedulable] } });
    expect((await bind('late')).status).toBe(201);
    const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null };
    expect(conditionOf(await read(`${PODS}/late`), 'PodScheduled')).toEqual({
      ...condition,
      lastTransitionTime: expect.any(String),
    });
  });

  test('changes nothing in a dry run', async () => {
    await made(PODS, aPod('tried'));
    const binding = { metadata: { name: 'tried' }, target: { name: 'n1' } };
    expect((await request('POST', `${PODS}/tried/binding?dryRun=All`, binding)).status).toBe(201);
    expect(at(await read(`${PODS}/tried`), 'spec')).not.toHaveProperty('nodeName');
  });

  test("reads the pod's name from the body of bindings", async () => {
    await made(PODS, aPod('old-way'));
    await made(`${HERE}/bindings`, { metadata: { name: 'old-way' }, target: { name: 'n1' } });
    expect(at(await read(`${PODS}/old-way`), 'spec')).toMatchObject({ nodeName: 'n1' });
  });

  test('accepts one of two concurrent bindings', async () => {
    await made(PODS, aPod('raced'));
    const answers = await Promise.all([bind('raced'), bind('raced')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  test.each<[string, () => Promise<Answer>, string]>([
    ['another name', () => bind('free', { name: 'x' }), '400 name in URL does not match name in Binding object'],
    [
      'a pod with a node',
      () => bind('free'),
      '409 Operation cannot be fulfilled on pods/binding "free": pod free is already assigned to node "n1"',
    ],
    ['no pod', () => bind('none'), '404 pods "none" not found'],
    ['no node', () => bind('tried', {}, { kind: 'Node' }), '500 target.name: Required value'],
    [
      'another state of the pod',
      () => bind('tried', { uid: 'x' }),
      '409 Operation cannot be fulfilled on pods "tried": StorageError: invalid object',
    ],
  ])('rejects a binding of %s', async (_title, send, message) => {
    expect(messageOf(await send())).toContain(message);
  });

  describe('a binding with a fencing token', () => {
    const LEASES = '/apis/coordination.k8s.io/v1/namespaces/here/leases';
    const token = (value: string): JsonObject => ({
      annotations: { 'davit.dev/fencing-token': value, why: 'it fits' },
    });

    test('assigns the node while the lease is held, and stores no token', async () => {
      await made(PODS, aPod('fenced'));
      await made(LEASES, { metadata: { name: 'scheduler' }, spec: { holderIdentity: 'a', leaseTransitions: 3 } });
      expect((await bind('fenced', token('here/scheduler/3'))).status).toBe(201);
      expect(at(await read(`${PODS}/fenced`), 'metadata', 'annotations')).toEqual({ why: 'it fits' });
    });

    test.each<[string, string, string]>([
      ['an older token', 'here/scheduler/2', '409 '],
      ['the token of no lease', 'here/none/3', '409 '],
      ['what is no token', 'here/scheduler', '400 '],
    ])('rejects a fencing token: %s', async (title, value, status) => {
      const name = title.replaceAll(/[^a-z]/g, '-');
      await made(PODS, aPod(name));
      expect(messageOf(await bind(name, token(value)))).toContain(status);
      expect(at(await read(`${PODS}/${name}`), 'spec')).not.toHaveProperty('nodeName');
    });
  });

  test('rejects a gated pod', async () => {
    await made(PODS, aPod('gated', { schedulingGates: [{ name: 'example.com/wait' }] }));
    expect(messageOf(await bind('gated'))).toContain('pod gated has non-empty .spec.schedulingGates');
  });
});

describe('the endpoint pods/eviction', () => {
  const BUDGETS = '/apis/policy/v1/namespaces/here/poddisruptionbudgets';
  const evict = (name: string, options: JsonObject = {}) =>
    request('POST', `${PODS}/${name}/eviction`, { metadata: { name }, ...options });
  const running = async (name: string, labels: JsonObject = {}, ready = 'True'): Promise<void> => {
    await made(PODS, aPod(name, {}, labels));
    const conditions = [{ type: 'Ready', status: ready }];
    const { status } = await request('PATCH', `${PODS}/${name}/status`, { status: { phase: 'Running', conditions } });
    expect(status).toBe(200);
  };
  const budget = async (name: string, labels: JsonObject, status: JsonObject): Promise<void> => {
    await made(BUDGETS, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: labels } } });
    const full = { observedGeneration: 1, expectedPods: 2, ...status };
    const answer = await request('PATCH', `${BUDGETS}/${name}/status`, { status: full });
    expect(answer.status, String(answer.body['message'])).toBe(200);
  };

  test('deletes a pod without a budget', async () => {
    await running('alone');
    expect((await evict('alone')).status).toBe(201);
    expect((await request('GET', `${PODS}/alone`)).status).toBe(404);
  });

  test('sets the disruption condition of the pod', async () => {
    await made(PODS, { ...aPod('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    expect((await evict('held')).status).toBe(201);
    expect(conditionOf(await read(`${PODS}/held`), 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'EvictionByEvictionAPI',
    });
  });

  test('counts the pod in its budget and rejects the next eviction', async () => {
    const labels = { app: 'counted' };
    for (const name of ['counted-1', 'counted-2']) await running(name, labels);
    await budget('counted', labels, { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 });
    expect((await evict('counted-1', { deleteOptions: { dryRun: ['All'] } })).status).toBe(201);
    expect((await evict('counted-1')).status).toBe(201);
    const after = await read(`${BUDGETS}/counted`);
    expect(at(after, 'status')).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { 'counted-1': expect.any(String) },
    });
    const owned = items(at(after, 'metadata'), 'managedFields').find(({ manager }) => manager === 'kube-apiserver');
    expect(owned).toMatchObject({ subresource: 'status', fieldsV1: { 'f:status': { 'f:disruptedPods': {} } } });
    const { status, body } = await evict('counted-2');
    expect(status).toBe(429);
    expect(body).toMatchObject({
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: 'TooManyRequests',
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget counted does not allow evicting pods currently',
          },
        ],
      },
    });
  });

  test('evicts an unready pod if enough others are healthy', async () => {
    const labels = { app: 'sick' };
    await running('sick', labels, 'False');
    await budget('sick', labels, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
    expect((await evict('sick')).status).toBe(201);
  });

  test('rejects a pod with two budgets', async () => {
    const labels = { app: 'twice' };
    await running('twice', labels);
    for (const name of ['twice-a', 'twice-b'])
      await budget(name, labels, { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0 });
    expect((await evict('twice')).body).toMatchObject({ status: 'Failure', code: 500 });
  });

  test.each<[string, JsonObject, string]>([
    ['another name', { metadata: { name: 'x' } }, '400 name in URL does not match name in Eviction object'],
    [
      'another uid',
      { deleteOptions: { preconditions: { uid: 'x' } } },
      '409 Operation cannot be fulfilled on Pod "picky": the UID in the precondition (x) does not match',
    ],
  ])('rejects an eviction with %s', async (_title, options, message) => {
    if ((await request('GET', `${PODS}/picky`)).status === 404) await running('picky');
    expect(messageOf(await evict('picky', options))).toContain(message);
  });
});

describe('the endpoint serviceaccounts/token', () => {
  const TOKEN = `${HERE}/serviceaccounts/default/token`;
  test.each([
    [{ expirationSeconds: 10 }, 'may not specify a duration less than 10 minutes'],
    [{ expirationSeconds: 2 ** 33 }, 'may not specify a duration larger than 2^32 seconds'],
    [{ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } }, 'pods "none" not found'],
    [
      { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } },
      'cannot bind token to object of type',
    ],
  ])('rejects the request %j', async (spec, message) => {
    expect(messageOf(await request('POST', TOKEN, { spec }))).toContain(message);
  });

  test('makes the requester the manager of expirationSeconds by default', async () => {
    const { managedFields } = at(await made(TOKEN, {}), 'metadata') as JsonObject;
    expect(managedFields).toMatchObject([{ fieldsV1: { 'f:spec': { 'f:expirationSeconds': {} } } }]);
  });

  test('rejects a service account that does not exist', async () => {
    const path = `${HERE}/serviceaccounts/ghost/token`;
    expect(messageOf(await request('POST', path, { spec: {} }))).toBe('404 serviceaccounts "ghost" not found');
  });
});

describe('issuer of tokens', () => {
  test.each(['ec', 'rsa'] as const)('signs with a key of type %s', async (type) => {
    const { privateKey, publicKey } =
      type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const issuer = tokenIssuer({ key: async () => signingKey(pem), issuer: 'https://here' });
    const [header = '', claims = '', signature = ''] = (await issuer.sign({ sub: 'me' })).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: type === 'ec' ? 'ES256' : 'RS256',
      kid: expect.any(String),
    });
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ sub: 'me' });
    const key = {
      key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      dsaEncoding: 'ieee-p1363' as const,
    };
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });
});

describe('requests that need a node', () => {
  beforeAll(async () => {
    await made(PODS, aPod('homeless'));
    await made(
      PODS,
      aPod('two', {
        containers: [
          { name: 'a', image: 'a' },
          { name: 'b', image: 'b' },
        ],
      }),
    );
    await made(PODS, aPod('housed', { nodeName: 'n1' }));
    await made('/api/v1/nodes', { metadata: { name: 'sim', labels: { 'davit.dev/simulated': 'true' } } });
    await made(PODS, aPod('simulated', { nodeName: 'sim' }));
    await made(PODS, aPod('astray', { nodeName: 'gone' }));
    await made(`${HERE}/services`, { metadata: { name: 'svc' }, spec: { ports: [{ port: 80 }] } });
  });

  test.each([
    ['pods/none/log', '404 pods "none" not found'],
    ['pods/homeless/exec', '400 pod homeless does not have a host assigned'],
    ['pods/homeless/attach', '400 pod homeless does not have a host assigned'],
    ['pods/homeless/portforward', '400 pod homeless does not have a host assigned'],
    ['pods/homeless/exec?container=x', '400 container x is not valid for pod homeless'],
    ['pods/two/log', '400 a container name must be specified for pod two, choose one of: [a b]'],
    ['pods/astray/log', '404 pods "gone" not found'],
    ['pods/housed/log', '500 no preferred addresses found; known addresses: []'],
    ['pods/simulated/log', '503 no connection to node "sim": it is simulated, and no container runs on it'],
    ['pods/simulated/exec', '503 no connection to node "sim": it is simulated, and no container runs on it'],
    ['pods/homeless/proxy', '400 address not allowed'],
    ['pods/a:b:c/proxy/x', '400 invalid pod request "a:b:c"'],
    ['services/svc/proxy/x', '404 services "svc" not found'],
    ['services/svc:81/proxy/', '503 no service port 81 found for service "svc"'],
  ])('returns an error for %s', async (path, message) => {
    expect(messageOf(await request('GET', `${HERE}/${path}`))).toBe(message);
  });

  test.each([
    ['100.100.100.200', '100.100.100.200:80'],
    ['fd00:ec2::254', '[fd00:ec2::254]:80'],
  ])('pods/proxy refuses %s, an address of cloud metadata', async (ip, place) => {
    const podIPs = [{ ip }];
    const { status } = await request('PATCH', `${PODS}/homeless/status`, { status: { podIP: ip, podIPs } });
    expect(status).toBe(200);
    expect(messageOf(await request('GET', `${HERE}/pods/homeless:80/proxy/`))).toBe(
      `503 error trying to reach service: dial tcp ${place}: link-local and metadata addresses are not called`,
    );
  });

  test('returns an empty log for a pod without a node', async () => {
    expect((await request('GET', `${PODS}/homeless/log`)).status).toBe(204);
  });

  test('serves the endpoint nodes/proxy', async () => {
    expect(messageOf(await request('GET', '/api/v1/nodes/none/proxy/'))).toBe('404 nodes "none" not found');
  });
});

describe('access and token reviews', () => {
  const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
  const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
  const resourceAttributes = { verb: 'get', resource: 'pods' };
  const RBAC = '/apis/rbac.authorization.k8s.io/v1';

  beforeAll(async () => {
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'some' };
    const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'Group', name: 'system:masters' }];
    await made(`${RBAC}/clusterroles`, { metadata: { name: 'some' }, rules });
    await made(`${RBAC}/clusterrolebindings`, { metadata: { name: 'some' }, roleRef, subjects });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [`${AUTHORIZATION}/selfsubjectaccessreviews`, { resourceAttributes }, { allowed: true }],
    [`${AUTHORIZATION}/subjectaccessreviews`, { resourceAttributes, user: 'bob' }, { allowed: false }],
    [
      `${AUTHORIZATION}/subjectaccessreviews`,
      { nonResourceAttributes: { path: '/healthz', verb: 'get' }, user: 'root', groups: ['system:masters'] },
      { allowed: true },
    ],
    [
      `${AUTHORIZATION}/namespaces/here/localsubjectaccessreviews`,
      { resourceAttributes: { ...resourceAttributes, namespace: 'here' }, groups: ['system:masters'] },
      { allowed: true },
    ],
    [
      `${AUTHORIZATION}/selfsubjectrulesreviews`,
      { namespace: 'here' },
      { incomplete: false, resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
    ],
    [`${AUTHENTICATION}/tokenreviews`, { token: 'bogus' }, { user: {}, error: 'invalid bearer token' }],
    [`${AUTHENTICATION}/selfsubjectreviews`, {}, { userInfo: { username: 'admin' } }],
  ])('%s of %j', async (path, spec, status) => {
    expect((await made(path, { spec }))['status']).toMatchObject(status);
  });

  test('returns the owner of a token', async () => {
    const { status } = await made(`${AUTHENTICATION}/tokenreviews`, { spec: { token: server.adminToken } });
    expect(status).toMatchObject({ authenticated: true, user: { username: 'admin' } });
  });

  test.each<[string, JsonObject, string]>([
    [
      `${AUTHORIZATION}/selfsubjectaccessreviews`,
      {},
      '422 .authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      `${AUTHORIZATION}/subjectaccessreviews`,
      { resourceAttributes },
      '422 .authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      `${AUTHORIZATION}/namespaces/here/localsubjectaccessreviews`,
      { resourceAttributes: { ...resourceAttributes, namespace: 'there' }, user: 'bob' },
      '422 .authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "there": must match metadata.namespace',
    ],
    [`${AUTHORIZATION}/selfsubjectrulesreviews`, {}, '400 no namespace on request'],
    [`${AUTHENTICATION}/tokenreviews`, {}, '400 token is required for TokenReview in authentication'],
  ])('validates %s and rejects %j', async (path, spec, message) => {
    expect(messageOf(await request('POST', path, { spec }))).toBe(message);
  });
});

test('warns that componentstatuses are deprecated', async () => {
  const { status, body, warnings } = await request('GET', '/api/v1/componentstatuses');
  expect(status).toBe(200);
  expect(warnings).toEqual(['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
  expect(items(body, 'items').map((one) => text(objectAt(one, 'metadata'), 'name'))).toEqual(['etcd-0']);
});

test.each([
  ['fieldSelector=metadata.name%3Detcd-0', '200 1'],
  ['fieldSelector=metadata.name%3Dother', '200 0'],
  ['labelSelector=a%3Db', '200 0'],
  ['fieldSelector=a%3Db', '400 "a" is not a known field selector: only "metadata.name", "metadata.namespace"'],
])('lists componentstatuses by %s', async (query, answer) => {
  const { status, body } = await request('GET', `/api/v1/componentstatuses?${query}`);
  expect(`${status} ${status === 200 ? items(body, 'items').length : text(body, 'message')}`).toBe(answer);
});

test('warns that endpoints are deprecated', async () => {
  const { warnings } = await request('GET', '/api/v1/namespaces/default/endpoints');
  expect(warnings).toEqual(['299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"']);
});

test.each([
  ['POST', '/api/v1/bindings'],
  ['POST', '/api/v2/namespaces/here/bindings'],
  ['POST', '/apis/authorization.k8s.io/v1/namespaces/here/subjectaccessreviews'],
])('returns 404 for %s %s', async (method, path) => {
  expect((await request(method, path, {})).status).toBe(404);
});

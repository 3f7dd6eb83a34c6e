import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isObject, objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/registry/kinds/shared/fields.ts';
import { startApiserver, type RunningApiserver } from '#local/start-apiserver.ts';
import { requester, type Answer, type Requester } from '#test/requester.ts';

type Answering = (request: JsonObject) => JsonObject;

/** What the webhook of each name answers, and what all of them were asked, in order. */
const answers = new Map<string, Answering>();
let asked: { readonly name: string; readonly request: JsonObject; readonly review: JsonObject }[] = [];

let server: RunningApiserver;
let request: Requester;
let registered: string[] = [];
const HERE = '/api/v1/namespaces/here';
const GROUP = '/apis/admissionregistration.k8s.io/v1';

beforeAll(async () => {
  const find = ({ name }: { readonly name: string }) => ({ invoke: async (body: Uint8Array) => invoke(name, body) });
  server = await startApiserver({ controllers: false, functions: { find } });
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'here', labels: { team: 'a' } } });
});
afterAll(() => server.close());

beforeEach(async () => {
  for (const path of registered) await request('DELETE', path);
  registered = [];
  answers.clear();
  asked = [];
});

function invoke(name: string, body: Uint8Array): Uint8Array {
  const review = JSON.parse(Buffer.from(body).toString()) as JsonObject;
  const wanted = objectAt(review, 'request') ?? {};
  asked.push({ name, request: wanted, review });
  const response = answers.get(name)?.(wanted) ?? { allowed: true };
  const whole = { apiVersion: review['apiVersion'] ?? null, kind: 'AdmissionReview', response };
  return Buffer.from(JSON.stringify({ ...whole, response: { uid: wanted['uid'] ?? null, ...response } }));
}

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

const CONFIG_MAPS = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };

const aHook = (name: string, more: JsonObject = {}): JsonObject => ({
  name: `${name}.example.com`,
  clientConfig: { service: { namespace: 'hooks', name } },
  rules: [CONFIG_MAPS],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

async function register(kind: 'mutating' | 'validating', name: string, ...webhooks: JsonObject[]): Promise<void> {
  await made(`${GROUP}/${kind}webhookconfigurations`, { metadata: { name }, webhooks });
  registered.push(`${GROUP}/${kind}webhookconfigurations/${name}`);
}

const patching =
  (...operations: Json[]): Answering =>
  () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });

const adding = (key: string, value = 'yes'): Answering => patching({ op: 'add', path: `/data/${key}`, value });
const aMap = (name: string, more: JsonObject = {}): JsonObject => ({ metadata: { name }, data: { a: 'b' }, ...more });
const create = (object: JsonObject, query = ''): Promise<Answer> =>
  request('POST', `${HERE}/configmaps${query}`, object);
const said = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? '')}`;
const names = (): string[] => asked.map(({ name }) => name);

describe('mutating', () => {
  test('each sees what those before it changed, configurations by name', async () => {
    answers.set('first', adding('first'));
    answers.set('second', adding('second'));
    await register('mutating', 'b', aHook('second'));
    await register('mutating', 'a', aHook('first'));
    const { body } = await create(aMap('ordered'));
    expect(body['data']).toEqual({ a: 'b', first: 'yes', second: 'yes' });
    expect(asked.map(({ request: { object } }) => isObject(object) && object['data'])).toEqual([
      { a: 'b' },
      { a: 'b', first: 'yes' },
    ]);
  });

  test.each([
    { policy: 'Never', times: 1 },
    { policy: 'IfNeeded', times: 2 },
  ])('reinvocation $policy: asked $times times after a later change', async ({ policy, times }) => {
    answers.set('late', adding('late'));
    await register('mutating', 'm', aHook('early', { reinvocationPolicy: policy }), aHook('late'));
    await create(aMap(`again-${times}`));
    expect(names().filter((name) => name === 'early')).toHaveLength(times);
    expect(names().filter((name) => name === 'late')).toHaveLength(1);
  });

  test('who garbles the managers of fields is told, and they stay', async () => {
    for (const [value, why] of [
      [[{ manager: 'x', apiVersion: 'v1' }], 'operation must be `Apply` or `Update`'],
      [[{ manager: 'x', operation: 'Update', fieldsType: 'FieldsV1' }], 'apiVersion must not be empty'],
      [[{ manager: 'x', operation: 'Update', apiVersion: 'v1' }], 'missing fieldsType in managed fields entry 0'],
    ] as const) {
      answers.set(
        'garbling',
        patching({ op: 'add', path: '/metadata/managedFields', value: value as unknown as Json }),
      );
      await register('mutating', 'm', aHook('garbling'));
      const { body, warnings } = await create(aMap('garbled'), '?dryRun=All');
      expect(objectAt(body, 'metadata')?.['managedFields']).toMatchObject([{ operation: 'Update', apiVersion: 'v1' }]);
      expect(warnings.join()).toContain(
        `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`,
      );
      await request('DELETE', `${GROUP}/mutatingwebhookconfigurations/m`);
    }
  });

  test('nobody is asked again for a change of its own, nor for none', async () => {
    answers.set('same', patching({ op: 'replace', path: '/data/a', value: 'b' }));
    await register('mutating', 'm', aHook('same', { reinvocationPolicy: 'IfNeeded' }));
    await create(aMap('same'));
    expect(names()).toEqual(['same']);
  });

  test.each([
    [
      'no JSON',
      { patch: Buffer.from('{').toString('base64'), patchType: 'JSONPatch' },
      /received undecodable patch in webhook response: /,
    ],
    [
      'no type',
      { patch: 'W10=' },
      /received invalid webhook response: webhook returned response.patch but not response.patchType/,
    ],
    [
      'an unknown type',
      { patch: Buffer.from('[{"op":"remove","path":"/data"}]').toString('base64'), patchType: 'Merge' },
      /unsupported patch type "Merge"/,
    ],
  ])('a patch of %s fails the call', async (_name, response, message) => {
    answers.set('wrong', () => ({ allowed: true, ...response }));
    await register('mutating', 'm', aHook('wrong'));
    const answer = await create(aMap('never'));
    expect(answer.status).toBe(500);
    expect(said(answer)).toMatch(message);
    expect(said(answer)).toContain('Internal error occurred: failed calling webhook "wrong.example.com"');
  });

  test('a patch of what is deleted is refused', async () => {
    await create(aMap('kept'));
    answers.set('eager', adding('x'));
    await register('mutating', 'm', aHook('eager'));
    expect(said(await request('DELETE', `${HERE}/configmaps/kept`))).toBe(
      '500 Internal error occurred: admission webhook "eager.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });

  test('a generated name comes after mutation, and validating webhooks see it', async () => {
    await register('mutating', 'm', aHook('unnamed'));
    await register('validating', 'v', aHook('named'));
    const created = await create({ metadata: { generateName: 'x-' } });
    expect(asked.map(({ request: { name } }) => name)).toEqual([undefined, nameOf(created.body)]);
  });
});

describe('validating', () => {
  test.each<[string, JsonObject, string]>([
    ['nothing', {}, '400 admission webhook "judge.example.com" denied the request without explanation'],
    ['a message', { status: { message: 'no!' } }, '400 admission webhook "judge.example.com" denied the request: no!'],
    [
      'a reason',
      { status: { reason: 'Teapot' } },
      '400 admission webhook "judge.example.com" denied the request: Teapot',
    ],
    [
      'a code',
      { status: { code: 418, message: 'no' } },
      '418 admission webhook "judge.example.com" denied the request: no',
    ],
    [
      'a success',
      { status: { code: 200, message: 'no' } },
      '400 admission webhook "judge.example.com" denied the request: no',
    ],
  ])('a refusal with %s', async (_name, more, expected) => {
    answers.set('judge', () => ({ allowed: false, ...more }));
    await register('validating', 'v', aHook('judge'));
    expect(said(await create(aMap('refused')))).toBe(expected);
  });

  test('the first in order names the refusal, all are asked', async () => {
    for (const name of ['one', 'two']) answers.set(name, () => ({ allowed: false, status: { message: name } }));
    await register('validating', 'v', aHook('one'), aHook('two'));
    expect(said(await create(aMap('refused')))).toContain('"one.example.com" denied the request: one');
    expect(names()).toEqual(['one', 'two']);
  });

  test('warnings reach the client', async () => {
    answers.set('kind', () => ({ allowed: true, warnings: ['mind the gap'] }));
    await register('validating', 'v', aHook('kind'));
    expect((await create(aMap('warned'))).warnings.join()).toContain('mind the gap');
  });

  test('a deletion is shown the old object and its options', async () => {
    await create(aMap('shown'));
    await register('validating', 'v', aHook('judge'));
    await request('DELETE', `${HERE}/configmaps/shown`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
    });
    const [{ request: seen } = { request: {} }] = asked;
    expect(seen).toMatchObject({
      operation: 'DELETE',
      name: 'shown',
      object: null,
      oldObject: { metadata: { name: 'shown' }, data: { a: 'b' } },
      options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', gracePeriodSeconds: 0 },
    });
  });
});

describe('who is asked', () => {
  test.each<[string, JsonObject, boolean]>([
    ['another operation', { rules: [{ ...CONFIG_MAPS, operations: ['UPDATE'] }] }, false],
    ['every resource', { rules: [{ ...CONFIG_MAPS, apiGroups: ['*'], resources: ['*'] }] }, true],
    ['only subresources', { rules: [{ ...CONFIG_MAPS, resources: ['configmaps/status'] }] }, false],
    ['the scope of the cluster', { rules: [{ ...CONFIG_MAPS, scope: 'Cluster' }] }, false],
    ['the scope of namespaces', { rules: [{ ...CONFIG_MAPS, scope: 'Namespaced' }] }, true],
    ['this namespace', { namespaceSelector: { matchLabels: { team: 'a' } } }, true],
    ['another namespace', { namespaceSelector: { matchLabels: { team: 'b' } } }, false],
    ['such objects', { objectSelector: { matchLabels: { app: 'x' } } }, true],
    ['other objects', { objectSelector: { matchLabels: { app: 'y' } } }, false],
    [
      'a condition that holds',
      { matchConditions: [{ name: 'c', expression: 'object.data.a == "b" && request.userInfo.username == "admin"' }] },
      true,
    ],
    ['a condition that does not', { matchConditions: [{ name: 'c', expression: '!has(object.data)' }] }, false],
    [
      'one that fails beside one that does not hold',
      {
        matchConditions: [
          { name: 'c', expression: 'object.none == 1' },
          { name: 'd', expression: 'false' },
        ],
      },
      false,
    ],
    [
      'a right that the sender has',
      {
        matchConditions: [{ name: 'c', expression: 'authorizer.group("").resource("pods").check("delete").allowed()' }],
      },
      true,
    ],
    [
      'the right to this request',
      { matchConditions: [{ name: 'c', expression: 'authorizer.requestResource.check("drink").allowed()' }] },
      true,
    ],
  ])('a webhook for %s', async (name, more, isAsked) => {
    await register('validating', 'v', aHook('judge', more));
    const answer = await create(
      aMap(`m-${name.length}`, { metadata: { name: 'm', labels: { app: 'x' } } }),
      '?dryRun=All',
    );
    expect(answer.status, said(answer)).toBe(201);
    expect(names()).toEqual(isAsked ? ['judge'] : []);
  });

  test('a condition that fails refuses, or is passed over', async () => {
    const matchConditions = [{ name: 'c', expression: 'object.none == 1' }];
    await register('validating', 'v', aHook('strict', { matchConditions }));
    expect(said(await create(aMap('m')))).toBe(
      `403 configmaps "m" is forbidden: expression 'object.none == 1' resulted in error: no such key: none`,
    );
    await request('DELETE', registered.pop() ?? '');
    await register('validating', 'v', aHook('lax', { matchConditions, failurePolicy: 'Ignore' }));
    expect((await create(aMap('m'))).status).toBe(201);
    expect(names()).toEqual([]);
  });

  test('a namespace is chosen by its own labels', async () => {
    const rules = [{ ...CONFIG_MAPS, resources: ['namespaces'] }];
    await register('validating', 'v', aHook('judge', { rules, namespaceSelector: { matchLabels: { team: 'new' } } }));
    await made('/api/v1/namespaces?dryRun=All', { metadata: { name: 'new', labels: { team: 'new' } } });
    await made('/api/v1/namespaces?dryRun=All', { metadata: { name: 'old', labels: { team: 'old' } } });
    expect(asked.map(({ request: { name, namespace } }) => [name, namespace])).toEqual([['new', 'new']]);
  });

  test('webhooks are not asked about webhooks, so that a dead one can be taken away', async () => {
    answers.set('bricked', () => ({ allowed: false }));
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    await register('validating', 'v', aHook('bricked', { rules }));
    expect((await create(aMap('m'))).status).toBe(400);
    expect((await request('PATCH', registered[0] ?? '', { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    expect((await request('DELETE', registered.pop() ?? '')).status).toBe(200);
  });

  test('a dry run tells the webhook that it is one', async () => {
    await register('validating', 'v', aHook('careful', { sideEffects: 'NoneOnDryRun' }));
    expect((await create(aMap('dry'), '?dryRun=All')).status).toBe(201);
    expect(asked[0]?.request['dryRun']).toBe(true);
  });
});

describe('subresources', () => {
  const pods = (resource: string, operation: string): JsonObject => ({
    ...CONFIG_MAPS,
    operations: [operation],
    resources: [resource],
  });

  test('a connection is shown its options, and may be refused', async () => {
    answers.set('guard', () => ({ allowed: false, status: { message: 'no shells' } }));
    await register('validating', 'v', aHook('guard', { rules: [pods('pods/exec', 'CONNECT')] }));
    const path = `${HERE}/pods/web/exec?command=sh&command=-c&stdin=true&container=main&stderr=false`;
    expect(said(await request('POST', path))).toBe(
      '400 admission webhook "guard.example.com" denied the request: no shells',
    );
    expect(asked[0]?.request).toMatchObject({
      operation: 'CONNECT',
      kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
      subResource: 'exec',
      name: 'web',
      object: {
        kind: 'PodExecOptions',
        apiVersion: 'v1',
        stdin: true,
        stdout: true,
        container: 'main',
        command: ['sh', '-c'],
      },
      oldObject: null,
      options: null,
    });
    expect(said(await request('GET', `${HERE}/pods/web/proxy/a/b?dryRun=All`))).toBe('400 dryRun is not supported');
  });

  test('who scales is asked about the Scale, and may change it', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'x', image: 'y' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    await made('/apis/apps/v1/namespaces/here/deployments', { metadata: { name: 'scaled' }, spec });
    answers.set('cap', patching({ op: 'replace', path: '/spec/replicas', value: 5 }));
    const rules = [{ ...CONFIG_MAPS, apiGroups: ['apps'], resources: ['deployments/scale'] }];
    await register('mutating', 'm', aHook('cap', { rules }));
    const { body } = await request('PATCH', '/apis/apps/v1/namespaces/here/deployments/scaled/scale', {
      spec: { replicas: 50 },
    });
    expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
    expect(asked[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      object: { kind: 'Scale', spec: { replicas: 50 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    });
  });

  test('an eviction is one, not its pod', async () => {
    answers.set('guard', () => ({ allowed: false }));
    await register('validating', 'v', aHook('guard', { rules: [pods('pods/eviction', 'CREATE')] }));
    await request('POST', `${HERE}/pods/web/eviction`, { metadata: { name: 'web' } });
    expect(asked[0]?.request).toMatchObject({
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      name: 'web',
    });
  });
});

describe('versions', () => {
  const HPA = '/apis/autoscaling/v1/namespaces/here/horizontalpodautoscalers';
  const rules = [
    { ...CONFIG_MAPS, apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
  ];
  const scaler = {
    metadata: { name: 'h' },
    spec: {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    },
  };

  test('by default other versions are meant too: objects are converted, and patches come back', async () => {
    answers.set(
      'modern',
      patching({ op: 'replace', path: '/spec/metrics/0/resource/target/averageUtilization', value: 70 }),
    );
    await register('mutating', 'm', aHook('modern', { rules }));
    const { body, status } = await request('POST', `${HPA}?dryRun=All`, scaler);
    expect(status, String(body['message'])).toBe(201);
    expect(at(body, 'spec')).toMatchObject({ targetCPUUtilizationPercentage: 70, maxReplicas: 3 });
    expect(asked[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
      requestKind: { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' },
      resource: { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' },
      object: { apiVersion: 'autoscaling/v2', spec: { metrics: [{ type: 'Resource' }] } },
    });
  });

  test('matchPolicy Exact means what it says', async () => {
    await register('mutating', 'm', aHook('modern', { rules, matchPolicy: 'Exact' }));
    expect((await request('POST', `${HPA}?dryRun=All`, scaler)).status).toBe(201);
    expect(names()).toEqual([]);
  });

  test('reviews of v1beta1 need no type of patch, nor a uid', async () => {
    const { patchType: _, ...untyped } = adding('old')({});
    answers.set('old', () => ({ ...untyped, uid: '' }));
    await register('mutating', 'm', aHook('old', { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] }));
    expect((await create(aMap('old'))).body['data']).toEqual({ a: 'b', old: 'yes' });
    expect(text(asked[0]?.review, 'apiVersion')).toBe('admission.k8s.io/v1beta1');
  });

  test('an answer to another question is none', async () => {
    answers.set('deaf', () => ({ allowed: true, uid: 'other' }));
    await register('validating', 'v', aHook('deaf'));
    expect(said(await create(aMap('m')))).toMatch(
      /^500 Internal error occurred: failed calling webhook "deaf.example.com": received invalid webhook response: expected response.uid="[^"]+", got "other"$/,
    );
  });
});

describe('a webhook that does not answer', () => {
  const dead: Answering = () => {
    throw new Error('connection refused');
  };

  test('fails the request, and after three times is named with what to do', async () => {
    answers.set('dead', dead);
    await register('validating', 'broken', aHook('dead'));
    const failing = '500 Internal error occurred: failed calling webhook "dead.example.com": failed to call webhook: ';
    for (let i = 0; i < 3; i++)
      expect(said(await create(aMap('m')))).toBe(`${failing}Invoke "hooks/dead": connection refused`);
    const paused = said(await create(aMap('m')));
    expect(paused).toContain('not called: it did not answer 3 times in a row');
    expect(paused).toContain('(kubectl get validatingwebhookconfiguration broken)');
    expect(names()).toHaveLength(3);
  });

  test('is passed over where its policy says so', async () => {
    answers.set('gone', dead);
    await register('mutating', 'm', aHook('gone', { failurePolicy: 'Ignore' }));
    await register('validating', 'v', aHook('gone', { failurePolicy: 'Ignore' }));
    expect((await create(aMap('passed'))).status).toBe(201);
  });
});

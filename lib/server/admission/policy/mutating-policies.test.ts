import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at } from '#lib/machinery/unstructured.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;
const HERE = '/api/v1/namespaces/here';
const GROUP = '/apis/admissionregistration.k8s.io/v1';

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'here', labels: { team: 'a' } } });
  await made(`${HERE}/serviceaccounts`, { metadata: { name: 'default' } });
  await made(`${HERE}/configmaps`, { metadata: { name: 'param' }, data: { colour: 'red' } });
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

const MAPS = { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const DEPLOYMENTS = { ...MAPS, apiGroups: ['apps'], resources: ['deployments'] };
const MAP: JsonObject = { metadata: { name: 'm', labels: { app: 'x' } }, data: { a: 'b' } };
const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

interface PolicyCase {
  readonly mutations: JsonObject[];
  readonly more?: JsonObject;
  readonly bindings?: JsonObject[];
  readonly rules?: JsonObject;
}

/** Returns the response to a create under the policy. Deletes the policy afterwards. */
async function under({ mutations, more = {}, bindings = [{}], rules = MAPS }: PolicyCase, send: () => Promise<Answer>) {
  const matchConstraints = { resourceRules: [rules] };
  const spec = { matchConstraints, reinvocationPolicy: 'Never', mutations, ...more };
  await made(`${GROUP}/mutatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  const names = bindings.map((_, i) => `b${i}`);
  for (const [i, name] of names.entries())
    await made(`${GROUP}/mutatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: 'p', ...bindings[i] },
    });
  const answer = await send();
  for (const name of names) await request('DELETE', `${GROUP}/mutatingadmissionpolicybindings/${name}`);
  await request('DELETE', `${GROUP}/mutatingadmissionpolicies/p`);
  return answer;
}

const createMap = (): Promise<Answer> => request('POST', `${HERE}/configmaps?dryRun=All`, MAP);
const said = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? '')}`;
const denied = (why: string): string => `403 policy 'p' with binding 'b0' denied request: ${why}`;

describe('mutations of an object', () => {
  test.each<[string, JsonObject[], JsonObject]>([
    ['a configuration is merged in', [apply('Object{data: {"x": "y"}}')], { a: 'b', x: 'y' }],
    [
      'each mutation sees those before it',
      [apply('Object{data: {"x": "1"}}'), apply('Object{data: {"z": object.data.x + "2"}}')],
      { a: 'b', x: '1', z: '12' },
    ],
    [
      'a patch',
      [patch('[JSONPatch{op: "add", path: "/data/x", value: "y"}, JSONPatch{op: "remove", path: "/data/a"}]')],
      { x: 'y' },
    ],
    [
      'copies and moves',
      [
        patch(
          '[JSONPatch{op: "copy", from: "/data/a", path: "/data/c"}, JSONPatch{op: "move", from: "/data/a", path: "/data/d"}]',
        ),
      ],
      { c: 'b', d: 'b' },
    ],
    [
      'a test that fails leaves all as it was',
      [patch('[JSONPatch{op: "remove", path: "/data/a"}, JSONPatch{op: "test", path: "/data", value: {"q": "r"}}]')],
      { a: 'b' },
    ],
    [
      'a patch that may be none',
      [patch('has(object.data.q) ? [JSONPatch{op: "remove", path: "/data/q"}] : []')],
      { a: 'b' },
    ],
  ])('mutates the object: %s', async (_name, mutations, data) => {
    expect((await under({ mutations }, createMap)).body['data']).toEqual(data);
  });

  test('merges lists by key, and fills in defaults', async () => {
    const container =
      'Object.spec.template.spec.containers{name: c.name, env: [Object.spec.template.spec.containers.env{name: "E", value: "V"}]}';
    const spec = `Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, ${container})}`;
    const mutations = [apply(`Object{spec: Object.spec{template: Object.spec.template{spec: ${spec}}}}`)];
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'x', image: 'y' }] } };
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const { body } = await under({ mutations, rules: DEPLOYMENTS }, () =>
      request('POST', '/apis/apps/v1/namespaces/here/deployments?dryRun=All', deployment),
    );
    expect(at(body, 'spec', 'template', 'spec')?.['containers']).toMatchObject([
      { name: 'x', image: 'y', env: [{ name: 'E', value: 'V' }], imagePullPolicy: 'Always' },
    ]);
  });

  test('escapes keys, and creates missing objects', async () => {
    const value = 'Object.metadata{name: object.metadata.name, labels: {"a/b": "c"}}';
    const mutations = [
      patch(`[JSONPatch{op: "replace", path: "/metadata", value: ${value}}]`),
      patch('[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("e.com/x~y"), value: "v"}]'),
    ];
    const { status, body } = await under({ mutations }, createMap);
    expect(said({ status, body, warnings: [] })).toContain('e.com/x~y');
  });
});

describe('evaluation of a policy', () => {
  const counting = [apply('Object{data: {"n": has(object.data.n) ? object.data.n + "1" : "1"}}')];
  const count = async (given: Omit<PolicyCase, 'mutations'>): Promise<unknown> =>
    at((await under({ mutations: counting, ...given }, createMap)).body, 'data')?.['n'];

  test('runs once for each binding, and a second time if reinvocation is requested', async () => {
    expect(await count({ bindings: [{}, {}] })).toBe('11');
    expect(await count({ more: { reinvocationPolicy: 'IfNeeded' } })).toBe('11');
  });

  test('skips a request that does not meet a match condition', async () => {
    expect(
      await count({ more: { matchConditions: [{ name: 'c', expression: 'object.data.a == "c"' }] } }),
    ).toBeUndefined();
  });

  test('supports parameters and variables', async () => {
    const more = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'colour', expression: 'params.data.colour + "!"' }],
    };
    const bindings = [{ paramRef: { name: 'param', parameterNotFoundAction: 'Deny' } }];
    const mutations = [apply('Object{data: {"colour": variables.colour}}')];
    expect((await under({ mutations, more, bindings }, createMap)).body['data']).toEqual({ a: 'b', colour: 'red!' });
  });
});

describe('cost of a policy', () => {
  const LONG = '[1,2,3,4,5,6,7,8,9,10]';
  /** Costs about half of the budget of one expression. */
  const costly = `${LONG}.all(a,${LONG}.all(b,${LONG}.all(c,${LONG}.all(d,[1,2,3,4].all(e,a+b+c+d+e>0)))))`;
  const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';
  const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `v${i}`, expression: costly }));
  const variables = named(24);
  const sum = variables.map(({ name }) => `variables.${name}`).join(' && ');
  test.each<[string, Omit<PolicyCase, 'bindings'>, string]>([
    [
      'one expression',
      { mutations: [apply(`Object{data: {"x": string(${LONG}.all(z, ${costly}))}}`)] },
      'resulted in error: operation cancelled: actual cost limit exceeded',
    ],
    [
      'one with its variables',
      { mutations: [apply(`Object{data: {"x": string(${sum})}}`)], more: { variables } },
      denied(SPENT),
    ],
    [
      'a patch with its variables',
      {
        mutations: [patch(`[JSONPatch{op: "add", path: "/data/x", value: string(${sum})}]`)],
        more: { variables },
      },
      denied(SPENT),
    ],
    [
      'conditions together',
      { mutations: [apply('Object{data: {"x": "y"}}')], more: { matchConditions: named(7) } },
      denied(SPENT),
    ],
  ])('limits the cost of %s', async (_name, given, expected) => {
    expect(said(await under(given, createMap))).toContain(expected);
  });

  test('has a separate budget for each mutation', async () => {
    const third = named(6);
    const all = third.map(({ name }) => `variables.${name}`).join(' && ');
    const mutations = ['x', 'y', 'z', 'q'].map((key) => apply(`Object{data: {"${key}": string(${all})}}`));
    const { body } = await under({ mutations, more: { variables: third } }, createMap);
    expect(Object.keys(at(body, 'data') ?? {})).toEqual(['a', 'q', 'x', 'y', 'z']);
  });

  test('applies nothing if failures are ignored', async () => {
    const more = { variables, failurePolicy: 'Ignore' };
    const mutations = [apply(`Object{data: {"x": string(${sum})}}`), apply('Object{data: {"y": "z"}}')];
    expect((await under({ mutations, more }, createMap)).body['data']).toEqual({ a: 'b', y: 'z' });
  });
});

test('converts an object of another version than the stored one', async () => {
  const rules = { ...MAPS, apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] };
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 70,
  };
  const mutations = [
    apply('Object{spec: Object.spec{minReplicas: 2}}'),
    apply('Object{metadata: Object.metadata{labels: {"a": string(object.spec.minReplicas)}}}'),
  ];
  const { body } = await under({ mutations, rules }, () =>
    request('POST', '/apis/autoscaling/v1/namespaces/here/horizontalpodautoscalers?dryRun=All', {
      metadata: { name: 'h' },
      spec,
    }),
  );
  expect(body['spec']).toMatchObject({ ...spec, minReplicas: 2 });
  expect(at(body, 'metadata')?.['labels']).toEqual({ a: '2' });
});

describe('mutations that fail', () => {
  const DEPLOYMENT: JsonObject = {
    metadata: { name: 'd', annotations: { first: '1' } },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'x', image: 'y' }] } },
    },
  };
  const createDeployment = (): Promise<Answer> =>
    request('POST', '/apis/apps/v1/namespaces/here/deployments?dryRun=All', DEPLOYMENT);
  const more = { failurePolicy: 'Ignore' };
  const podSpec = (fields: string): string =>
    `Object{metadata: Object.metadata{annotations: {"wrong": "1"}}, spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{${fields}}}}}`;
  const note = (name: string): JsonObject =>
    apply(`Object{metadata: Object.metadata{annotations: {"${name}": string(object.metadata.annotations.size())}}}`);

  test.each<[string, string]>([
    ['first', podSpec('overhead: {"cpu": "x"}')],
    ['number', podSpec('terminationGracePeriodSeconds: 1.5')],
  ])('have no effect on the next mutation: %s', async (_, wrong) => {
    const mutations = [note('before'), apply(wrong), note('behind')];
    const { status, body } = await under({ mutations, more, rules: DEPLOYMENTS }, createDeployment);
    expect(status, String(body['message'])).toBe(201);
    expect(at(body, 'metadata')?.['annotations']).toEqual({ first: '1', before: '1', behind: '2' });
    expect(at(body, 'spec', 'template', 'spec')).not.toHaveProperty('overhead');
    expect(at(body, 'spec', 'template', 'spec')).toMatchObject({ terminationGracePeriodSeconds: 30 });
  });
});

test('fills in defaults after every relevant change', async () => {
  const label = apply('Object{metadata: Object.metadata{labels: {"a": "b"}}}');
  const variable = apply(
    'Object{spec: Object.spec{containers: [Object.spec.containers{name: "x", image: "y", ports: [Object.spec.containers.ports{containerPort: 1}]}]}}',
  );
  const legacy = apply(
    'Object{metadata: Object.metadata{annotations: {"pod.beta.kubernetes.io/init-containers": "[]"}}}',
  );
  const pod = { metadata: { name: 'p', annotations: { a: 'b' } }, spec: { containers: [{ name: 'x', image: 'y' }] } };
  const rules = { ...MAPS, resources: ['pods'] };
  const { body } = await under({ mutations: [label, variable, label, legacy], rules }, () =>
    request('POST', `${HERE}/pods?dryRun=All`, pod),
  );
  expect(body['spec']).toMatchObject({ containers: [{ ports: [{ containerPort: 1, protocol: 'TCP' }] }] });
  expect(at(body, 'metadata')).toMatchObject({ labels: { a: 'b' }, annotations: { a: 'b' } });
  expect(at(body, 'metadata', 'annotations')).not.toHaveProperty(['pod.beta.kubernetes.io/init-containers']);
});

test('sorts the fields that policies add', async () => {
  const mutations = ['c', 'A', '0b', 'b'].map((key) => apply(`Object{data: {"${key}": "x"}}`));
  const { body } = await under({ mutations }, createMap);
  expect(Object.keys(body)).toEqual(['kind', 'apiVersion', 'metadata', 'data']);
  expect(Object.keys(at(body, 'data') ?? {})).toEqual(['0b', 'A', 'a', 'b', 'c']);
});

describe('mutations that are forbidden', () => {
  test.each<[string, JsonObject, string]>([
    [
      'a field that the kind has not',
      apply('Object{foo: 1}'),
      denied(
        'error applying patch: failed to convert patch object to typed object: .foo: field not declared in schema',
      ),
    ],
    [
      'a part in the wrong place',
      apply('Object{metadata: Object.foo{labels: {"x": "y"}}}'),
      denied(
        'type mismatch: unexpected type name "Object.foo", expected "Object.metadata", which matches field name path from root Object type',
      ),
    ],
    [
      'an expression that fails',
      apply('Object{data: {"x": object.none}}'),
      denied(`expression 'Object{data: {"x": object.none}}' resulted in error: no such key: none`),
    ],
    [
      'a patch that does not apply',
      patch('[JSONPatch{op: "remove", path: "/data/none"}]'),
      denied('JSON Patch: error in remove for path'),
    ],
    [
      'a patch to no field',
      patch('[JSONPatch{op: "add", path: "/foo", value: 1}]'),
      '500 Internal error occurred: strict decoding error: unknown field "foo"',
    ],
    [
      'a patch to no time',
      patch('[JSONPatch{op: "add", path: "/metadata/creationTimestamp", value: "x"}]'),
      '500 Internal error occurred: ',
    ],
    [
      'a patch to another type',
      patch('[JSONPatch{op: "add", path: "/data/x", value: 1}]'),
      '500 Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
  ])('rejects the mutation: %s', async (_name, mutation, expected) => {
    expect(said(await under({ mutations: [mutation] }, createMap))).toContain(expected);
  });

  test('may not replace an atomic value', async () => {
    const mutations = [apply('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"c": "d"}}}}')];
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'x', image: 'y' }] } };
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const answer = await under({ mutations, rules: DEPLOYMENTS }, () =>
      request('POST', '/apis/apps/v1/namespaces/here/deployments?dryRun=All', deployment),
    );
    expect(said(answer)).toBe(
      denied(
        'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector',
      ),
    );
  });

  test('are ignored if the failure policy ignores them', async () => {
    const mutations = [apply('Object{data: {"x": object.none}}'), apply('Object{data: {"y": "z"}}')];
    const { body } = await under({ mutations, more: { failurePolicy: 'Ignore' } }, createMap);
    expect(body['data']).toEqual({ a: 'b', y: 'z' });
  });

  test('reports all faults with the message of the first', async () => {
    const mutations = [apply('Object{foo: 1}'), apply('Object{bar: 1}')];
    const { body } = await under({ mutations }, createMap);
    expect(body).toMatchObject({ reason: 'Invalid', code: 403, details: { name: 'm', kind: 'configmaps' } });
    expect(at(body, 'details')?.['causes']).toHaveLength(2);
  });
});

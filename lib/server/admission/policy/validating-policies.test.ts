import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;
const HERE = '/api/v1/namespaces/here';
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const LONG = '[1,2,3,4,5,6,7,8,9,10]';

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'here', labels: { team: 'a' } } });
  await made(`${HERE}/configmaps`, { metadata: { name: 'limits', labels: { use: 'params' } }, data: { limit: '3' } });
  await made(`${HERE}/configmaps`, { metadata: { name: 'more', labels: { use: 'params' } }, data: { limit: '0' } });
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

const CONFIG_MAPS = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const MAP: JsonObject = { metadata: { name: 'm', labels: { app: 'x' } }, data: { a: 'b' } };

interface Policy {
  readonly policy: JsonObject;
  readonly binding?: JsonObject;
}

/** Returns the response to a create under the policy. Deletes the policy afterwards. */
async function under({ policy, binding = {} }: Policy, object: JsonObject = MAP): Promise<Answer> {
  const spec = { matchConstraints: { resourceRules: [CONFIG_MAPS] }, ...policy };
  await made(`${GROUP}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  await made(`${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...binding },
  });
  const answer = await request('POST', `${HERE}/configmaps?dryRun=All`, object);
  await request('DELETE', `${GROUP}/validatingadmissionpolicybindings/b`);
  await request('DELETE', `${GROUP}/validatingadmissionpolicies/p`);
  return answer;
}

const says = (expression: string, more: JsonObject = {}): JsonObject => ({ validations: [{ expression, ...more }] });
const said = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? '')}`;
const denied = (why: string, code = 422): string =>
  `${code} configmaps "m" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`;
const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };

describe('decisions of an expression', () => {
  test.each<[string, JsonObject, string]>([
    ['true', says('object.data.a == "b"'), '201 '],
    ['false', says('object.data.a == "c"'), denied('failed expression: object.data.a == "c"')],
    ['a message and a reason', says('false', { message: ' no ', reason: 'Forbidden' }), denied('no', 403)],
    ['an expression for the message', says('false', { messageExpression: '"n" + "o"', message: 'x' }), denied('no')],
    ['a message of two lines', says('false', { messageExpression: '"a\\nb"', message: 'x' }), denied('x')],
    [
      'the first of two',
      { validations: [{ expression: '1 == 2' }, { expression: 'false' }] },
      denied('failed expression: 1 == 2'),
    ],
    ['a fault', says('object.none == 1'), denied("expression 'object.none == 1' resulted in error: no such key: none")],
    ['a fault that is ignored', { ...says('object.none == 1'), failurePolicy: 'Ignore' }, '201 '],
    [
      'variables, each of those before it',
      {
        variables: [
          { name: 'data', expression: 'object.data' },
          { name: 'count', expression: 'size(variables.data)' },
        ],
        ...says('variables.count > 1', { messageExpression: '"has " + string(variables.count)' }),
      },
      denied('has 1'),
    ],
    [
      'a variable that fails',
      { variables: [{ name: 'x', expression: 'object.none' }], ...says('variables.x == 1') },
      denied(
        `expression 'variables.x == 1' resulted in error: composited variable "x" fails to evaluate: no such key: none`,
      ),
    ],
    [
      'a condition that does not hold',
      { ...says('false'), matchConditions: [{ name: 'c', expression: 'false' }] },
      '201 ',
    ],
    ["the request's attributes", says('request.operation == "CREATE" && request.userInfo.username == "admin"'), '201 '],
    ['its namespace', says('namespaceObject.metadata.labels.team == "a" && oldObject == null'), '201 '],
    ["the requestor's permissions", says('authorizer.group("").resource("pods").check("get").allowed()'), '201 '],
    [
      'an expression above its cost limit',
      says(
        `${LONG}.all(a,${LONG}.all(b,${LONG}.all(c,${LONG}.all(d,${LONG}.all(e,a+b+c+d+e>0)))))`.replaceAll(
          '10]',
          '10,11,12,13,14,15]',
        ),
      ),
      'operation cancelled: actual cost limit exceeded',
    ],
    [
      'expressions above their total cost limit',
      {
        validations: Array.from({ length: 24 }, (_, i) => ({
          expression: `${i} >= 0 && ${LONG}.all(a,${LONG}.all(b,${LONG}.all(c,${LONG}.all(d,[1,2,3,4,5,6,7,8].all(e,a+b+c+d+e>0)))))`,
        })),
      },
      denied('validation failed due to running out of cost budget, no further validation rules will be run'),
    ],
    [
      'too much for the messages, also of what is met',
      {
        validations: Array.from({ length: 24 }, (_, i) => ({
          expression: `${i} >= 0`,
          messageExpression: `${i} >= 0 && ${LONG}.all(a,${LONG}.all(b,${LONG}.all(c,${LONG}.all(d,[1,2,3,4,5,6,7,8].all(e,a+b+c+d+e>0))))) ? "x" : "y"`,
        })),
      },
      denied(
        'failed messageExpression: validation failed due to running out of cost budget, no further validation rules will be run',
      ),
    ],
  ])('decides by the expression: %s', async (_name, policy, expected) => {
    expect(said(await under({ policy }))).toContain(expected);
  });

  test('returns the cause of a rejection', async () => {
    const { body } = await under({ policy: says('false', { reason: 'RequestEntityTooLarge' }) });
    const message = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false";
    expect(body).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      details: { name: 'm', kind: 'configmaps', causes: [{ message }] },
    });
  });
});

describe('bindings of a policy', () => {
  test.each<[string, JsonObject, boolean]>([
    ['everything that the policy means', {}, true],
    ['this namespace', { matchResources: { namespaceSelector: { matchLabels: { team: 'a' } } } }, true],
    ['another namespace', { matchResources: { namespaceSelector: { matchLabels: { team: 'b' } } } }, false],
    ['other objects', { matchResources: { objectSelector: { matchLabels: { app: 'y' } } } }, false],
    ['another operation', { matchResources: { resourceRules: [{ ...CONFIG_MAPS, operations: ['UPDATE'] }] } }, false],
    ['this name', { matchResources: { resourceRules: [{ ...CONFIG_MAPS, resourceNames: ['m'] }] } }, true],
    ['another name', { matchResources: { resourceRules: [{ ...CONFIG_MAPS, resourceNames: ['n'] }] } }, false],
    ['all but these', { matchResources: { excludeResourceRules: [CONFIG_MAPS] } }, false],
  ])('applies a binding for %s', async (_name, binding, applies) => {
    expect((await under({ policy: says('false'), binding })).status).toBe(applies ? 422 : 201);
  });

  test('adds a warning with Warn, and allows the request with Audit', async () => {
    const answer = await under({
      policy: says('false', { message: 'careful' }),
      binding: { validationActions: ['Warn', 'Audit'] },
    });
    expect(answer.status).toBe(201);
    expect(answer.warnings.join()).toContain(
      "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': careful",
    );
  });

  test('ignores a policy without a binding', async () => {
    const spec = { matchConstraints: { resourceRules: [CONFIG_MAPS] }, ...says('false') };
    await made(`${GROUP}/validatingadmissionpolicies`, { metadata: { name: 'unbound' }, spec });
    expect((await request('POST', `${HERE}/configmaps?dryRun=All`, MAP)).status).toBe(201);
  });
});

describe('parameters of a policy', () => {
  const big = 'int(params.data.limit) > size(object.data)';
  const ref = (paramRef: JsonObject): JsonObject => ({ paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } });
  const unready = 'failed to configure binding: ';

  test.each<[string, JsonObject, JsonObject, string]>([
    ['by name', says(big), ref({ name: 'limits' }), '201 '],
    [
      'by selector: all must be content',
      says(big),
      ref({ selector: { matchLabels: { use: 'params' } } }),
      denied(`failed expression: ${big}`),
    ],
    [
      'in the version that the policy names',
      says('params.kind == "ConfigMap" && params.apiVersion == "v1"'),
      ref({ name: 'more' }),
      '201 ',
    ],
    [
      'none, which denies',
      says('true'),
      ref({ name: 'none' }),
      denied(`${unready}no params found for policy binding with \`Deny\` parameterNotFoundAction`),
    ],
    ['none, which allows', says('false'), ref({ name: 'none', parameterNotFoundAction: 'Allow' }), '201 '],
    ['none asked for', says('params == null'), {}, '201 '],
    [
      'of a kind that is not there',
      { ...says('true'), paramKind: { apiVersion: 'example.com/v1', kind: 'Rule' } },
      ref({ name: 'x' }),
      `422 configmaps "m" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Rule'`,
    ],
    [
      'of the cluster, by a namespace',
      { ...says('true'), paramKind: { apiVersion: 'v1', kind: 'Namespace' } },
      ref({ name: 'here', namespace: 'here' }),
      denied(`${unready}paramRef.namespace must not be provided for a cluster-scoped \`paramKind\``),
    ],
  ])('finds the parameters: %s', async (_name, policy, binding, expected) => {
    expect(said(await under({ policy: { ...params, ...policy }, binding }))).toBe(expected);
  });

  test('has no namespace for a cluster-scoped request', async () => {
    const rules = {
      resourceRules: [{ ...CONFIG_MAPS, apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] }],
    };
    const spec = { ...params, ...says('true'), matchConstraints: rules };
    await made(`${GROUP}/validatingadmissionpolicies`, { metadata: { name: 'roles' }, spec });
    const binding = { policyName: 'roles', validationActions: ['Deny'], ...ref({ name: 'limits' }) };
    await made(`${GROUP}/validatingadmissionpolicybindings`, { metadata: { name: 'roles' }, spec: binding });
    const answer = await request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'r' },
    });
    expect(said(answer)).toContain(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  });
});

test('skips requests for policies and for reviews', async () => {
  const rules = { resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] };
  await made(`${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: 'all' },
    spec: { ...says('false'), matchConstraints: rules },
  });
  await made(`${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: 'all' },
    spec: { policyName: 'all', validationActions: ['Deny'] },
  });
  expect((await request('POST', `${HERE}/configmaps`, MAP)).status).toBe(422);
  const hooks = { metadata: { name: 'hooks' }, webhooks: [] };
  expect((await request('POST', `${GROUP}/validatingwebhookconfigurations`, hooks)).status).toBe(422);
  expect((await request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {})).status).toBe(201);
  expect((await request('DELETE', `${GROUP}/validatingadmissionpolicybindings/all`)).status).toBe(200);
  expect((await request('POST', `${HERE}/configmaps`, MAP)).status).toBe(201);
});

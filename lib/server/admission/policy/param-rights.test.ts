import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
let server: RunningApiserver;
let admin: Requester;
let amy: Requester;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  admin = requester(server);
  amy = requester(server, { 'impersonate-user': 'amy', 'impersonate-extra-team': 'a' });
  await allow('policies', [
    { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] },
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['limits'], verbs: ['get'] },
    { apiGroups: [''], resources: ['services'], verbs: ['get', 'list'] },
  ]);
  await write('POST', 'validatingadmissionpolicies', aPolicy('known', { apiVersion: 'v1', kind: 'ConfigMap' }));
  await write('POST', 'validatingadmissionpolicies', aPolicy('unserved', { apiVersion: 'a.b/v1', kind: 'C' }));
});
afterAll(() => server.close());

async function allow(name: string, rules: JsonObject[]): Promise<void> {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'amy' }];
  await admin('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules });
  await admin('POST', `${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
}

const write = (method: string, resource: string, object: JsonObject, as: Requester = admin) =>
  as(method, `${GROUP}/${resource}`, object);

function aPolicy(name: string, paramKind: JsonObject | null): JsonObject {
  const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
  const matchConstraints = { resourceRules: [rule] };
  return { metadata: { name }, spec: { matchConstraints, paramKind, validations: [{ expression: 'true' }] } };
}

function aBinding(policyName: string, paramRef: JsonObject): JsonObject {
  const spec = {
    policyName,
    validationActions: ['Deny'],
    paramRef: { parameterNotFoundAction: 'Deny', ...paramRef },
  };
  return { metadata: { name: 'b' }, spec };
}

const AMY = '&{amy  [system:authenticated] map[team:[a]]}';
const policyRefusal = (kind: string, apiVersion: string): string =>
  `422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.paramKind: Forbidden: user ${AMY} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
const bindingRefusal = (detail: string): string =>
  `422 ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "b" is invalid: spec.paramRef: Forbidden: ${detail}`;
const notHeld = (verb: string): string => `does not have "${verb}" permission on the object referenced by paramRef`;
const everything = (what: string): string =>
  bindingRefusal(
    `unable to ${what} to determine minimum required permissions and user ${AMY} does not have "get" permission for all groups, versions and resources`,
  );

test.each<[string, string, JsonObject, string]>([
  ['a policy without parameters', 'validatingadmissionpolicies', aPolicy('p', null), '201'],
  [
    'a kind that the user may read',
    'validatingadmissionpolicies',
    aPolicy('p', { apiVersion: 'v1', kind: 'Service' }),
    '201',
  ],
  [
    'a kind that the user may read only by name',
    'validatingadmissionpolicies',
    aPolicy('p', { apiVersion: 'v1', kind: 'ConfigMap' }),
    policyRefusal('ConfigMap', 'v1'),
  ],
  [
    'a kind that is not served',
    'validatingadmissionpolicies',
    aPolicy('p', { apiVersion: 'a.b/v1', kind: 'C' }),
    policyRefusal('C', 'a.b/v1'),
  ],
  [
    'other errors are reported alone',
    'validatingadmissionpolicies',
    aPolicy('p', { apiVersion: 'v1', kind: '' }),
    '422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.paramKind.kind: Required value',
  ],
  [
    'a binding to the parameter that the user may read',
    'validatingadmissionpolicybindings',
    aBinding('known', { name: 'limits', namespace: 'x' }),
    '201',
  ],
  [
    'a binding to another',
    'validatingadmissionpolicybindings',
    aBinding('known', { name: 'other' }),
    bindingRefusal(`user ${AMY} ${notHeld('get')}`),
  ],
  [
    'a binding to all',
    'validatingadmissionpolicybindings',
    aBinding('known', { selector: {} }),
    bindingRefusal(`user ${AMY} ${notHeld('list')}`),
  ],
  [
    'a binding of a policy that is not there',
    'validatingadmissionpolicybindings',
    aBinding('none', { name: 'limits' }),
    everything('get policy none'),
  ],
  [
    'a binding of a policy whose parameters nothing serves',
    'validatingadmissionpolicybindings',
    aBinding('unserved', { name: 'limits' }),
    everything('resolve paramKind &{a.b/v1 C}'),
  ],
])('checks the rights to parameters: %s', async (_, resource, object, expected) => {
  const { status, body } = await write('POST', `${resource}?dryRun=All`, object, amy);
  expect([status, String(body['message'] ?? '')].join(' ').trim()).toBe(expected);
});

test('checks an update only if it changes the parameters, and never a status or an administrator', async () => {
  const { body } = await admin('GET', `${GROUP}/validatingadmissionpolicies/known`);
  const patch = async (path: string, object: JsonObject, as = amy): Promise<number> =>
    (await write('PATCH', `validatingadmissionpolicies/${path}?dryRun=All`, object, as)).status;
  const secrets = { spec: { paramKind: { apiVersion: 'v1', kind: 'Secret' } } };
  expect(await patch('known', { metadata: { labels: { a: 'b' } } })).toBe(200);
  expect(await patch('known', secrets)).toBe(422);
  expect(await patch('known/status', body)).toBe(200);
  expect(await patch('known', secrets, admin)).toBe(200);
});

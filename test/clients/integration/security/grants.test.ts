import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const ROLES = `${RBAC}/clusterroles`;
const BINDINGS = `${RBAC}/clusterrolebindings`;
const HERE = `${RBAC}/namespaces/here`;
const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const WHO = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
const DRY = '?dryRun=All';
const LACKS = 'is attempting to grant RBAC permissions not currently held';
const TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
let server: RunningApiserver;
let admin: Requester;

const rule = (verbs: string, apiGroup: string, resources: string, names?: string): JsonObject => ({
  verbs: verbs.split(','),
  apiGroups: [apiGroup],
  resources: resources.split(','),
  ...(names === undefined ? {} : { resourceNames: names.split(',') }),
});
const paths = (...nonResourceURLs: string[]): JsonObject => ({ verbs: ['get'], nonResourceURLs });
const role = (name: string, rules: JsonObject[], more: JsonObject = {}): JsonObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
  ...more,
});
const subject = (name: string): JsonObject => ({ apiGroup: GROUP, kind: 'User', name });
const binding = (name: string, to: string, user: string, kind = 'ClusterRole'): JsonObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind, name: to },
  subjects: [subject(user)],
});
const here = (object: JsonObject): JsonObject => ({ ...object, kind: 'RoleBinding' });
const SECRETS = rule('*', '', 'secrets');
const ALL = [rule('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }];

/** Roles by name, with the users that they are bound to. */
const GRANTED: readonly (readonly [string, JsonObject[], string?])[] = [
  ['root', ALL, 'boss'],
  ['fat', [SECRETS]],
  ['empty', []],
  ['writer', [rule('get,list,create,update,patch,delete,deletecollection', GROUP, 'clusterroles,roles')], 'eve'],
  ['binds', [rule('get,create,update,patch,delete', GROUP, 'clusterrolebindings,rolebindings')], 'eve'],
  [
    'some',
    [
      rule('get,list', '', 'pods'),
      rule('get', '', 'configmaps', 'mine'),
      rule('get,update', 'apps', '*/scale'),
      paths('/logs/*', '/x*'),
    ],
    'eve',
  ],
  ['binder', [rule('bind', GROUP, 'clusterroles', 'fat'), rule('create', GROUP, 'clusterrolebindings')], 'bob'],
  [
    'impersonator',
    [
      rule('impersonate', '', 'users', 'amy'),
      rule('impersonate', '', 'groups', 'dev'),
      rule('impersonate', '', 'serviceaccounts', 'robot'),
      rule('impersonate', 'authentication.k8s.io', 'uids', 'u-1'),
      rule('impersonate', 'authentication.k8s.io', 'userextras/scopes', 'view'),
    ],
    'ida',
  ],
];

const tokenOf = (name: string): string => `token-of-${name}`;
const as = (name: string, headers: Record<string, string> = {}): Requester =>
  requester(server, { authorization: `Bearer ${tokenOf(name)}`, ...headers });

beforeAll(async () => {
  const users = ['eve', 'bob', 'dan', 'ida', 'system:serviceaccount:here:a:b'];
  server = await startApiserver({
    controllers: false,
    tokens: new Map(users.map((name) => [tokenOf(name), { name, groups: [] }])),
  });
  admin = requester(server);
  for (const name of ['here', 'there']) await made('/api/v1/namespaces', { metadata: { name } });
  for (const [name, rules, user] of GRANTED) {
    await made(ROLES, role(name, rules));
    if (user !== undefined) await made(BINDINGS, binding(`${name}-${user}`, name, user));
  }
  await made(ROLES, role('who', [rule('create', 'authentication.k8s.io', 'selfsubjectreviews')]));
  const subjects = [{ apiGroup: GROUP, kind: 'Group', name: 'system:authenticated' }];
  await made(BINDINGS, { ...binding('who', 'who', ''), subjects });
  await made(ROLES, role('gathers', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }));
  await made(`${HERE}/roles`, {
    metadata: { name: 'lord' },
    rules: [rule('*', GROUP, 'roles,rolebindings'), rule('escalate,bind', GROUP, 'roles,clusterroles')],
  });
  await made(`${HERE}/rolebindings`, here(binding('lord', 'lord', 'dan', 'Role')));
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<void> {
  const { status, body } = await admin('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
}

const told = ({ status, body }: Answer): string => (status < 300 ? `${status}` : `${status} ${body['message']}`);

describe('coverage of rules', () => {
  test.each<[string, JsonObject, boolean]>([
    ['scales of a group: that of one', rule('get', 'apps', 'deployments/scale'), true],
    ['scales of a group: all of them', rule('get', 'apps', '*/scale'), true],
    ['scales of a group: no other verb', rule('patch', 'apps', 'deployments/scale'), false],
    ['scales of a group: no other group', rule('get', 'batch', 'jobs/scale'), false],
    ['scales of a group: no other subresource', rule('get', 'apps', '*/*'), false],
    ['scales of a group: none below them', rule('get', 'apps', 'a/scale/b'), false],
    ['scales of a group: none that ends so', rule('get', 'apps', 'a/b/scale'), false],
    ['pods: some of them', rule('get', '', 'pods', 'a,b'), true],
    ['pods: in no other case', rule('get', '', 'Pods'), false],
    ['pods: by no verb of another case', rule('GET', '', 'pods'), false],
    ['one name: it', rule('get', '', 'configmaps', 'mine'), true],
    ['one name: not it and another', rule('get', '', 'configmaps', 'mine,other'), false],
    ['one name: no star', rule('get', '', 'configmaps', '*'), false],
    ['one name: not none', rule('get', '', 'configmaps', 'mine,'), false],
    ['paths: one beneath', paths('/logs/a'), true],
    ['paths: all beneath one of them', paths('/logs/a/*'), true],
    ['paths: not their parent', paths('/logs'), false],
    ['paths: not those beside', paths('/log*'), false],
    ['paths: longer ones of a star', paths('/xyz*'), true],
    ['paths: not all', paths('*'), false],
  ])('is computed for %s', async (_, asked, covered) => {
    const answer = told(await as('eve')('POST', `${ROLES}${DRY}`, role('new', [asked])));
    if (covered) expect(answer).toBe('201');
    else expect(answer).toContain(LACKS);
  });
});

type Kind = keyof typeof TYPES;
const patched = (name: string, kind: Kind, path: string, body: Json): Promise<Answer> =>
  as(name, { 'content-type': TYPES[kind] })(
    'PATCH',
    `${path}${kind === 'apply' ? '?fieldManager=e&force=true' : ''}`,
    body,
  );

describe("every way to write grants no rights beyond the user's own:", () => {
  test.each<[Kind, string, Json]>([
    ['merge', 'some', { rules: [SECRETS] }],
    ['json', 'some', [{ op: 'add', path: '/rules/-', value: SECRETS }]],
    ['json', 'some', [{ op: 'replace', path: '/rules/0/resources', value: ['secrets'] }]],
    ['json', 'some', [{ op: 'remove', path: '/rules/1/resourceNames' }]],
    ['strategic', 'some', { rules: [SECRETS] }],
    ['apply', 'some', role('some', [SECRETS])],
    ['apply', 'new', role('new', [SECRETS])],
  ])('a %s patch of the role %s', async (kind, name, body) => {
    expect(told(await patched('eve', kind, `${ROLES}/${name}`, body))).toContain(LACKS);
  });

  test.each<[Kind, Json]>([
    ['merge', { subjects: [subject('eve')] }],
    ['json', [{ op: 'add', path: '/subjects/-', value: subject('eve') }]],
    ['strategic', { subjects: [subject('eve')] }],
    ['apply', binding('root-boss', 'root', 'eve')],
  ])('a %s patch of the subjects', async (kind, body) => {
    expect(told(await patched('eve', kind, `${BINDINGS}/root-boss`, body))).toContain(LACKS);
  });

  test.each<[Kind, Json]>([
    ['merge', { roleRef: { name: 'root' } }],
    ['json', [{ op: 'replace', path: '/roleRef/name', value: 'root' }]],
    ['strategic', { roleRef: { name: 'root' } }],
    ['apply', binding('some-eve', 'root', 'eve')],
  ])('a %s patch of the role', async (kind, body) => {
    expect(told(await patched('eve', kind, `${BINDINGS}/some-eve`, body))).toContain(LACKS);
  });

  test('nor does the role stay another’s when it is one that he has', async () => {
    const answer = await patched('eve', 'merge', `${BINDINGS}/some-eve`, { roleRef: { name: 'empty' } });
    expect(told(answer)).toContain('422');
    expect(told(answer)).toContain('cannot change roleRef');
  });

  test('a role is neither aggregating nor aggregated without the rights for it', async () => {
    const needs = 'must have cluster-admin privileges to use the aggregationRule';
    const all = { aggregationRule: { clusterRoleSelectors: [{}] } };
    expect(told(await patched('eve', 'merge', `${ROLES}/some`, all))).toContain(needs);
    expect(told(await patched('eve', 'apply', `${ROLES}/gathers`, role('gathers', [], all)))).toContain(needs);
    expect(told(await patched('eve', 'merge', `${ROLES}/gathers`, { metadata: { labels: { a: 'b' } } }))).toContain(
      needs,
    );
    expect(told(await patched('eve', 'merge', `${ROLES}/fat`, { metadata: { labels: { a: 'b' } } }))).toContain(LACKS);
  });

  test('a user who may delete bindings deletes no other objects with them', async () => {
    expect(told(await as('eve')('DELETE', BINDINGS))).toContain('403');
    expect(told(await as('eve')('DELETE', `${HERE}/rolebindings`))).toContain('403');
    expect(told(await as('eve')('DELETE', '/api/v1/namespaces/here/pods'))).toContain('cannot deletecollection');
  });
});

describe('a binding to', () => {
  test.each<[string, string, JsonObject, string]>([
    ['the superuser', BINDINGS, binding('b', 'root', 'eve'), LACKS],
    ['the superuser in a namespace', `${HERE}/rolebindings`, here(binding('b', 'root', 'eve')), LACKS],
    ['a role of some namespace, for all', BINDINGS, binding('b', 'lord', 'eve', 'Role'), '400 Namespace parameter'],
    ['nothing', BINDINGS, binding('b', '', 'eve'), '400 Name parameter required.'],
    ['a role by its path', BINDINGS, binding('b', 'fat/../root', 'eve'), '400 Name parameter invalid: "fat/../root"'],
    ['a role that will be', BINDINGS, binding('b', 'none', 'eve'), '404'],
    ['what is no role', BINDINGS, binding('b', 'root', 'eve', 'clusterrole'), 'unsupported role reference kind'],
    ['no account', BINDINGS, { ...binding('b', 'some', 'x'), subjects: [account('a:b')] }, '422'],
  ])('%s is none', async (_, path, object, why) => {
    expect(told(await as('eve')('POST', `${path}${DRY}`, object))).toContain(why);
  });

  test('the permission to bind covers only the named role', async () => {
    const bob = as('bob');
    expect(told(await bob('POST', `${BINDINGS}${DRY}`, binding('b', 'fat', 'bob')))).toBe('201');
    expect(told(await bob('POST', `${BINDINGS}${DRY}`, binding('b', 'root', 'bob')))).toContain(LACKS);
  });

  test('any subject or role stays in the namespace if the user may escalate and bind there', async () => {
    const dan = as('dan');
    const { kind: _, ...everything } = role('q', [rule('*', '*', '*')]);
    expect(told(await dan('POST', `${HERE}/roles${DRY}`, everything))).toBe('201');
    expect(told(await dan('POST', `${HERE}/rolebindings${DRY}`, here(binding('q', 'root', 'dan'))))).toBe('201');
    const elsewhere = { ...everything, metadata: { name: 'q', namespace: 'there' } };
    expect(told(await dan('POST', `${HERE}/roles${DRY}`, elsewhere))).toContain('400');
    expect(told(await dan('POST', `${RBAC}/namespaces/there/roles${DRY}`, everything))).toContain('403');
    expect(told(await dan('POST', `${ROLES}${DRY}`, role('q', [])))).toContain('403');
    expect(told(await dan('POST', `${BINDINGS}${DRY}`, binding('q', 'root', 'dan')))).toContain('403');
  });
});

function account(name: string): JsonObject {
  return { kind: 'ServiceAccount', name, namespace: 'here' };
}

test('a name with one colon too many is not a service account', async () => {
  const { body } = await as('system:serviceaccount:here:a:b')('POST', REVIEWS, WHO);
  expect(body['status']).toMatchObject({ userInfo: { groups: ['system:authenticated'] } });
});

describe('impersonation with permission', () => {
  const acting = (headers: Record<string, string | string[]>): Promise<Answer> =>
    as('ida', headers as Record<string, string>)('POST', REVIEWS, WHO);

  test.each<[string, Record<string, string | string[]>]>([
    ['that one', { 'impersonate-user': 'amy' }],
    ['in a group', { 'impersonate-user': 'amy', 'impersonate-group': 'dev' }],
    ['with a uid', { 'impersonate-user': 'amy', 'impersonate-uid': 'u-1' }],
    ['with a scope', { 'impersonate-user': 'amy', 'impersonate-extra-scop%65s': 'view' }],
    ['an account', { 'impersonate-user': 'system:serviceaccount:here:robot' }],
  ])('is allowed: %s', async (_, headers) => {
    expect((await acting(headers)).status).toBe(201);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['another', { 'impersonate-user': 'bob' }],
    ['of another group', { 'impersonate-user': 'amy', 'impersonate-group': 'system:masters' }],
    ['of one more group', { 'impersonate-user': 'amy', 'impersonate-group': ['dev', 'system:masters'] }],
    ['of nobody’s group', { 'impersonate-user': 'amy', 'impersonate-group': 'system:unauthenticated' }],
    ['with another uid', { 'impersonate-user': 'amy', 'impersonate-uid': 'u-2' }],
    ['with another scope', { 'impersonate-user': 'amy', 'impersonate-extra-scopes': 'edit' }],
    ['with one more scope', { 'impersonate-user': 'amy', 'impersonate-extra-scopes': ['view', 'edit'] }],
    ['with another extra', { 'impersonate-user': 'amy', 'impersonate-extra-other': 'view' }],
    ['another account', { 'impersonate-user': 'system:serviceaccount:here:other' }],
    ['an account with a colon too many', { 'impersonate-user': 'system:serviceaccount:here:robot:x' }],
    ['an account of no namespace', { 'impersonate-user': 'system:serviceaccount::robot' }],
    ['an account of an impossible one', { 'impersonate-user': 'system:serviceaccount:HERE:robot' }],
    ['nobody', { 'impersonate-user': 'system:anonymous' }],
    ['a node', { 'impersonate-user': 'system:node:n1' }],
    ['one with a space', { 'impersonate-user': 'amy x' }],
  ])('is rejected: %s', async (_, headers) => {
    const { status, body } = await acting(headers);
    expect([status, body['message']]).toEqual([403, expect.stringContaining('cannot impersonate resource')]);
  });
});

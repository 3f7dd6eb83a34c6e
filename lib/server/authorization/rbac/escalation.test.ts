import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';
import { binding, role } from './a-policy.ts';

const API = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${API}/namespaces/esc/roles`;
const ROLE_BINDINGS = `${API}/namespaces/esc/rolebindings`;
const CLUSTER_ROLES = `${API}/clusterroles`;
const CLUSTER_ROLE_BINDINGS = `${API}/clusterrolebindings`;
const WRITES = 'create,get,list,update,patch,delete,deletecollection rbac.authorization.k8s.io';

let server: RunningApiserver;
let admin: Requester;
/** May write every role and binding, and has a few other permissions. */
let eve: Requester;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  admin = requester(server);
  eve = as('eve');
  await made(admin, '/api/v1/namespaces', { metadata: { name: 'esc' } });
  await makeRole('writer', `${WRITES} roles,clusterroles,rolebindings,clusterrolebindings`);
  await makeRole('some', 'get,list core pods,configmaps');
  await makeRole('all', '* * *', '* *');
  for (const name of ['writer', 'some']) await bind(name, 'eve');
});
afterAll(() => server.close());

const as = (name: string): Requester => requester(server, { 'impersonate-user': name });
const named = (name: string, content: JsonObject): JsonObject => ({ metadata: { name }, ...content });
const makeRole = (name: string, ...rules: string[]) => made(admin, CLUSTER_ROLES, named(name, role(...rules)));
const bind = (name: string, user: string) =>
  made(admin, CLUSTER_ROLE_BINDINGS, named(`${name}-${user}`, binding(`ClusterRole ${name}`, `User ${user}`)));

async function made(who: Requester, path: string, object: JsonObject): Promise<void> {
  const { status, body } = await who('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
}

const told = ({ status, body }: Answer): string =>
  status < 300 ? `${status}` : `${status} ${String(body['message'])}`;
const LACKS = 'is attempting to grant RBAC permissions not currently held:\n';

describe('permissions that the user lacks', () => {
  const everything = role('* * *');
  const wanted = '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}';

  test.each<[string, () => Promise<Answer>]>([
    ['create a role', () => eve('POST', ROLES, named('bad', everything))],
    ['create a cluster role', () => eve('POST', CLUSTER_ROLES, named('bad', everything))],
    [
      'create a role with a generated name',
      () => eve('POST', ROLES, { metadata: { generateName: 'bad-' }, ...everything }),
    ],
    ['create a role by update', () => eve('PUT', `${CLUSTER_ROLES}/bad`, named('bad', everything))],
    ['update a cluster role', () => eve('PUT', `${CLUSTER_ROLES}/writer`, named('writer', everything))],
    ['patch a cluster role', () => eve('PATCH', `${CLUSTER_ROLES}/some`, everything)],
    ['patch its own role in a dry run', () => eve('PATCH', `${CLUSTER_ROLES}/some?dryRun=All`, everything)],
    ['create a role binding', () => eve('POST', ROLE_BINDINGS, named('bad', binding('ClusterRole all', 'User eve')))],
    [
      'create a cluster role binding',
      () => eve('POST', CLUSTER_ROLE_BINDINGS, named('bad', binding('ClusterRole all', 'User eve'))),
    ],
    [
      'create a binding by update',
      () => eve('PUT', `${ROLE_BINDINGS}/bad`, named('bad', binding('ClusterRole all', 'User eve'))),
    ],
    [
      'add itself to a binding',
      async () => {
        await bind('all', 'boss');
        return eve('PATCH', `${CLUSTER_ROLE_BINDINGS}/all-boss`, {
          subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
        });
      },
    ],
  ])('cannot be gained with an attempt to %s', async (_, attempt) => {
    const answer = told(await attempt());
    expect(answer).toMatch(/^403 /);
    expect(answer).toContain(`user "eve" (groups=["system:authenticated"]) ${LACKS}`);
    expect(answer).toContain(wanted);
  });

  test('include the verbs escalate, bind and impersonate', async () => {
    for (const verb of ['escalate', 'bind']) {
      const rule = role(`${verb} rbac.authorization.k8s.io roles,clusterroles`);
      expect(told(await eve('POST', CLUSTER_ROLES, named('bad', rule)))).toContain(`Verbs:["${verb}"]`);
    }
    expect(told(await eve('POST', CLUSTER_ROLES, named('bad', role('impersonate core users'))))).toContain(LACKS);
  });

  test('prevent the use of an aggregation rule', async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const why =
      'clusterroles.rbac.authorization.k8s.io "bad" is forbidden: must have cluster-admin privileges to use the aggregationRule';
    expect(told(await eve('POST', CLUSTER_ROLES, named('bad', { aggregationRule, rules: [] })))).toBe(`403 ${why}`);
    await made(admin, CLUSTER_ROLES, named('gathers', { aggregationRule }));
    expect(told(await eve('PATCH', `${CLUSTER_ROLES}/gathers`, { aggregationRule: null }))).toContain(
      'must have cluster-admin',
    );
  });

  test('cannot be bound before their role exists', async () => {
    const later = named('later', binding('Role later', 'User eve'));
    expect(told(await eve('POST', ROLE_BINDINGS, later))).toBe(
      '404 rolebindings.rbac.authorization.k8s.io "later" not found',
    );
  });

  test('are reported together with unresolved roles', async () => {
    await made(admin, CLUSTER_ROLE_BINDINGS, named('broken', binding('ClusterRole gone', 'User mallory')));
    await bind('writer', 'mallory');
    const answer = await as('mallory')('POST', ROLES, named('bad', everything));
    expect(told(answer)).toContain(`${wanted}; resolution errors: [roles.rbac.authorization.k8s.io "gone" not found]`);
  });
});

describe('permissions that may be granted', () => {
  test('include those that the user has', async () => {
    await made(eve, CLUSTER_ROLES, named('fewer', role('get core pods')));
    await made(eve, ROLE_BINDINGS, named('fewer', binding('ClusterRole some', 'User friend')));
    expect(told(await eve('PATCH', `${CLUSTER_ROLES}/all?dryRun=All`, role('list core pods')))).toBe('200');
  });

  test('must cover a role to change its labels, but not its finalizers', async () => {
    expect(told(await eve('PATCH', `${CLUSTER_ROLES}/all`, { metadata: { labels: { a: 'b' } } }))).toContain(LACKS);
    expect(told(await eve('PATCH', `${CLUSTER_ROLES}/all`, { metadata: { finalizers: ['example.com/f'] } }))).toBe(
      '200',
    );
    expect(told(await eve('PATCH', `${CLUSTER_ROLES}/all`, { metadata: { finalizers: null } }))).toBe('200');
  });

  test('include all for a role that the user may escalate or bind', async () => {
    await makeRole('escalator', 'escalate rbac.authorization.k8s.io clusterroles high');
    await makeRole('binder', 'bind rbac.authorization.k8s.io clusterroles all');
    for (const name of ['writer', 'escalator', 'binder']) await bind(name, 'carol');
    const carol = as('carol');
    await made(admin, CLUSTER_ROLES, named('high', role()));
    expect(told(await carol('PATCH', `${CLUSTER_ROLES}/high`, role('* * *')))).toBe('200');
    expect(told(await carol('PATCH', `${CLUSTER_ROLES}/some`, role('* * *')))).toContain(LACKS);
    await made(carol, CLUSTER_ROLE_BINDINGS, named('bound', binding('ClusterRole all', 'User carol')));
  });

  test('exclude those that were just revoked', async () => {
    await bind('some', 'dave');
    const dave = as('dave');
    expect((await dave('GET', '/api/v1/namespaces/esc/pods')).status).toBe(200);
    await admin('DELETE', `${CLUSTER_ROLE_BINDINGS}/some-dave`);
    expect(told(await dave('GET', '/api/v1/namespaces/esc/pods'))).toBe(
      '403 pods is forbidden: User "dave" cannot list resource "pods" in API group "" in the namespace "esc"',
    );
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const HERE = '/api/v1/namespaces/default';
let server: RunningApiserver;
let admin: Requester;
let eve: Requester;

/** The permissions of eve: every verb on roles and bindings except escalate and bind, and few of the permissions that those grant. */
const RIGHTS: JsonObject[] = [
  {
    apiGroups: [GROUP],
    resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods/status'], verbs: ['get'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['mine'] },
  { apiGroups: [''], resources: ['*/scale'], verbs: ['get', 'update'] },
  { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
];

const role = (name: string, rules: JsonObject[], more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  rules,
  ...more,
});
const binding = (name: string, to: string, user = 'eve'): JsonObject => ({
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: to },
  subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
});

beforeAll(async () => {
  server = await startApiserver({ controllers: false, tokens: new Map([['eves', { name: 'eve', groups: [] }]]) });
  admin = requester(server);
  eve = requester(server, { authorization: 'Bearer eves' });
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  await admin('POST', `${RBAC}/clusterroles`, role('root', ALL));
  await admin('POST', `${RBAC}/clusterroles`, role('eve', RIGHTS));
  await admin('POST', `${RBAC}/clusterrolebindings`, binding('eve', 'eve'));
  await admin('POST', `${HERE}/configmaps`, { metadata: { name: 'mine' } });
});
afterAll(() => server.close());

const ALL = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const SECRETS = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];

describe("a user who may write roles grants no permissions beyond the user's own", () => {
  test.each<[string, string, string, JsonObject]>([
    ['a role with every right', 'POST', `${RBAC}/clusterroles`, role('all', ALL)],
    ['a role with one right too many', 'POST', `${RBAC}/clusterroles`, role('secrets', SECRETS)],
    ['his own role, with more', 'PUT', `${RBAC}/clusterroles/eve`, role('eve', [...RIGHTS, ...SECRETS])],
    ['his own role, by a patch', 'PATCH', `${RBAC}/clusterroles/eve`, { rules: SECRETS }],
    [
      'a right of one name, for all names',
      'POST',
      `${RBAC}/clusterroles`,
      role('names', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]),
    ],
    [
      'a right of a subresource, for its resource',
      'POST',
      `${RBAC}/clusterroles`,
      role('whole', [{ apiGroups: [''], resources: ['pods', 'pods/*'], verbs: ['get'] }]),
    ],
    [
      'a right of a group, for all groups',
      'POST',
      `${RBAC}/clusterroles`,
      role('groups', [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }]),
    ],
    ['paths beyond his', 'POST', `${RBAC}/clusterroles`, role('paths', [{ nonResourceURLs: ['*'], verbs: ['get'] }])],
    [
      'paths that begin as his',
      'POST',
      `${RBAC}/clusterroles`,
      role('log', [{ nonResourceURLs: ['/logs*'], verbs: ['get'] }]),
    ],
    [
      'the rights to escalate',
      'POST',
      `${RBAC}/clusterroles`,
      role('escalate', [{ apiGroups: [GROUP], resources: ['clusterroles'], verbs: ['escalate', 'bind'] }]),
    ],
    [
      'the right to impersonate',
      'POST',
      `${RBAC}/clusterroles`,
      role('other', [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }]),
    ],
    [
      'a role that gathers all others',
      'POST',
      `${RBAC}/clusterroles`,
      role('sum', [], {
        aggregationRule: { clusterRoleSelectors: [{}] },
      }),
    ],
    [
      'a role that gathers, made of his own',
      'PATCH',
      `${RBAC}/clusterroles/eve`,
      {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
      },
    ],
    ['a binding to the superuser', 'POST', `${RBAC}/clusterrolebindings`, binding('root', 'root')],
    ['a binding of a namespace to it', 'POST', `${RBAC}/namespaces/default/rolebindings`, binding('root', 'root')],
    ['a role of a namespace', 'POST', `${RBAC}/namespaces/default/roles`, role('secrets', SECRETS)],
  ])('by writing %s', async (_, method, path, body) => {
    const { status, body: said } = await eve(method, path, body);
    expect([status, said['reason']]).toEqual([403, 'Forbidden']);
  });

  test('grants permissions that the user has', async () => {
    const pods = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    expect((await eve('POST', `${RBAC}/clusterroles`, role('pods', pods))).status).toBe(201);
    expect((await eve('POST', `${RBAC}/clusterrolebindings`, binding('amy', 'pods', 'amy'))).status).toBe(201);
  });

  test('rejects a binding to a role that does not exist yet', async () => {
    expect((await eve('POST', `${RBAC}/clusterrolebindings`, binding('later', 'none'))).status).toBe(404);
  });

  test('cannot change the role of a binding', async () => {
    await eve('POST', `${RBAC}/clusterrolebindings`, binding('kept', 'eve'));
    const changed = await eve('PUT', `${RBAC}/clusterrolebindings/kept`, binding('kept', 'root'));
    expect(changed.status).toBe(403);
    expect((await admin('PUT', `${RBAC}/clusterrolebindings/kept`, binding('kept', 'root'))).status).toBe(422);
  });

  test('labels add no forbidden rule to an aggregated role: labelled roles are checked when they are written', async () => {
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' };
    const { status } = await eve('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'label', labels },
      rules: SECRETS,
    });
    expect(status).toBe(403);
  });

  test('grants no permissions in a dry run either', async () => {
    const { status } = await eve('POST', `${RBAC}/clusterroles?dryRun=All`, role('all', ALL));
    expect(status).toBe(403);
  });

  test('grants no permissions by an apply either', async () => {
    const apply = requester(server, {
      authorization: 'Bearer eves',
      'content-type': 'application/apply-patch+yaml',
    });
    const { status } = await apply('PATCH', `${RBAC}/clusterroles/applied?fieldManager=eve&force=true`, {
      apiVersion: `${GROUP}/v1`,
      kind: 'ClusterRole',
      ...role('applied', ALL),
    });
    expect(status).toBe(403);
  });
});

describe('a permission covers only what it names', () => {
  test.each<[string, string, string, JsonObject?]>([
    ['list, not delete all', 'DELETE', `${HERE}/pods`],
    ['get of a pod, not its log', 'GET', `${HERE}/pods/p/log`],
    ['get of a pod, not to run in it', 'GET', `${HERE}/pods/p/exec?command=sh`],
    ['get of a pod, not to run in it by POST', 'POST', `${HERE}/pods/p/exec?command=sh`],
    ['get of a pod, not what stands behind it', 'GET', `${HERE}/pods/p/proxy/`],
    ['get of a pod, not the proxy of old', 'GET', '/api/v1/proxy/namespaces/default/pods/p'],
    ['get of a status, not update', 'PUT', `${HERE}/pods/p/status`, {}],
    ['get of a status, not patch', 'PATCH', `${HERE}/pods/p/status`, {}],
    ['list, not watch', 'GET', `${HERE}/pods?watch=1`],
    ['list, not watch as of old', 'GET', '/api/v1/watch/pods'],
    ['one name, not a list', 'GET', `${HERE}/configmaps`],
    ['one name, not a list of its namespace by another', 'GET', `${HERE}/configmaps?fieldSelector=metadata.name=other`],
    ['one name, not another', 'GET', `${HERE}/configmaps/other`],
    ['one name, not another of an encoded path', 'GET', `${HERE}/configmaps/mine%2f..%2fother`],
    ['scales of one group, not of another', 'GET', '/apis/apps/v1/namespaces/default/deployments/d/scale'],
    ['paths beneath one, not that one', 'GET', '/logs'],
    ['paths beneath one, not those beside it', 'GET', '/logsx'],
    ['pods, not their eviction', 'POST', `${HERE}/pods/p/eviction`, {}],
    ['pods, not tokens', 'POST', `${HERE}/serviceaccounts/default/token`, {}],
    ['pods, not another case of them', 'GET', `${HERE}/Pods`],
  ])('for example %s', async (_, method, path, body) => {
    const { status, body: said } = await eve(method, path, body);
    expect([status, said['reason']]).toEqual([403, 'Forbidden']);
  });

  test('a list limited to one name returns only that object', async () => {
    const named = await eve('GET', `${HERE}/configmaps?fieldSelector=metadata.name=mine`);
    expect(named.status).toBe(403); // the verb get does not allow a list, even if the list is limited to one name
  });
});

import { describe, expect, test } from 'vitest';
import { aPolicy, asks, aUser, binding, ROOT, role, type Stored, storedObjects } from './a-policy.ts';
import { decide, rbacAuthorizer } from './authorizer.ts';
import { type Policy, policyOf } from './policy.ts';

const ROLES: Stored[] = [
  ['clusterroles//admin', role('* * *', '* *')],
  ['clusterroles//view', role('get,list,watch core pods,pods/log', 'get /healthz')],
  ['roles/a/edit', role('update core pods')],
  ['roles/b/edit', role('delete core pods')],
];

describe('decisions for bound subjects', () => {
  const policy = aPolicy(
    ...ROLES,
    ['clusterrolebindings//admins', binding('ClusterRole admin', 'User root', 'Group admins')],
    ['clusterrolebindings//viewers', binding('ClusterRole view', 'ServiceAccount a/robot', 'ServiceAccount nowhere')],
    ['clusterrolebindings//strange', binding('Role edit', 'User stranger')],
    ['rolebindings/a/editors', binding('Role edit', 'User ann', 'ServiceAccount robot')],
    ['rolebindings/a/lookers', binding('ClusterRole view', 'User ann', 'Group system:authenticated')],
    ['rolebindings/a/odd', binding('Node x', 'User odd')],
    ['rolebindings/b/lost', binding('Role gone', 'User ann')],
    ['rolebindings/b/other', binding('Role edit', 'Robot ann')],
  );

  test.each<[who: string, asked: string, answer: string]>([
    ['root', 'get - core nodes', 'RBAC: allowed by ClusterRoleBinding "admins" of ClusterRole "admin" to User "root"'],
    ['x admins', 'post /x', 'RBAC: allowed by ClusterRoleBinding "admins" of ClusterRole "admin" to Group "admins"'],
    ['admins', 'get - core nodes', 'no'],
    ['x root', 'get - core nodes', 'no'],
    ['ROOT', 'get - core nodes', 'no'],
    ['ann', 'update a core pods x', 'RBAC: allowed by RoleBinding "editors/a" of Role "edit" to User "ann"'],
    ['ann', 'delete a core pods x', 'no'],
    ['ann', 'get a core pods/log x', 'RBAC: allowed by RoleBinding "lookers/a" of ClusterRole "view" to User "ann"'],
    ['ann', 'get /healthz', 'no'],
    ['ann', 'list - core pods', 'no'],
    ['ann', 'list b core pods', 'no, RBAC: role.rbac.authorization.k8s.io "gone" not found'],
    ['odd', 'list a core pods', 'no, RBAC: unsupported role reference kind: "Node"'],
    ['odd', 'list b core pods', 'no'],
    [
      'bob system:authenticated',
      'list a core pods',
      'RBAC: allowed by RoleBinding "lookers/a" of ClusterRole "view" to Group "system:authenticated"',
    ],
    [
      'system:serviceaccount:a:robot',
      'get b core pods',
      'RBAC: allowed by ClusterRoleBinding "viewers" of ClusterRole "view" to ServiceAccount "robot/a"',
    ],
    [
      'system:serviceaccount:a:robot',
      'update a core pods',
      'RBAC: allowed by RoleBinding "editors/a" of Role "edit" to ServiceAccount "robot/a"',
    ],
    ['system:serviceaccount:b:robot', 'update a core pods', 'no'],
    ['system:serviceaccount::nowhere', 'get a core pods', 'no'],
    ['stranger', 'update a core pods', 'no, RBAC: role.rbac.authorization.k8s.io "edit" not found'],
  ])('the decision for %s and %s is "%s"', (who, asked, answer) => {
    const [name = '', ...groups] = who.split(' ');
    const { decision, reason } = decide(policy, aUser(name, ...groups), asks(asked));
    expect(decision === 'allow' ? reason : reason === '' ? 'no' : `no, ${reason}`).toBe(answer);
  });
});

test('reports each error once, in the order of bindings', () => {
  const policy = aPolicy(
    ['clusterrolebindings//a', binding('ClusterRole x', 'User u')],
    ['clusterrolebindings//b', binding('ClusterRole y', 'User u')],
    ['clusterrolebindings//c', binding('ClusterRole x', 'User u')],
  );
  const gone = (name: string): string => `clusterrole.rbac.authorization.k8s.io "${name}" not found`;
  expect(decide(policy, aUser('u'), asks('get - core pods')).reason).toBe(`RBAC: [${gone('x')}, ${gone('y')}]`);
});

describe('the cache of decisions', () => {
  const bound = ['clusterrolebindings//v', binding('ClusterRole view', 'User u')] as const;

  test.each<[string, string, string]>([
    ['object name', 'get a core pods x', 'get a core pods y'],
    ['verb', 'get a core pods', 'list a core pods'],
    ['path', 'get /a', 'get /b'],
  ])('has separate entries per %s', (_, one, other) => {
    const policy = aPolicy(...ROLES, bound);
    decide(policy, aUser('u'), asks(one));
    decide(policy, aUser('u'), asks(other));
    decide(policy, aUser('u'), asks(one));
    expect(policy.decisions.size).toBe(2);
  });

  test('distinguishes users whose names contain quotes', () => {
    const policy = aPolicy(...ROLES, ['clusterrolebindings//v', binding('ClusterRole view', 'Group g')]);
    expect(decide(policy, aUser('u', 'g'), asks('get a core pods')).decision).toBe('allow');
    expect(decide(policy, aUser('u","g'), asks('get a core pods')).decision).toBe('noOpinion');
  });

  test('is cleared after a change, which keeps unchanged parts', () => {
    const before = policyOf(ROOT, storedObjects(...ROLES, bound));
    decide(before, aUser('u'), asks('get a core pods'));
    expect(policyOf(ROOT, storedObjects(...ROLES, bound), before)).toBe(before);
    const after = policyOf(ROOT, storedObjects(...ROLES), before);
    expect(after.decisions.size).toBe(0);
    expect(decide(after, aUser('u'), asks('get a core pods')).decision).toBe('noOpinion');
    expect(after.parts.get(`${ROOT}roles/a/`)).toBe(before.parts.get(`${ROOT}roles/a/`));
  });

  test('is limited in size and ignores long requests', () => {
    const policy = aPolicy(...ROLES, bound);
    for (let i = 0; i < 9000; i++) decide(policy, aUser('u'), asks(`get a core pods p${i}`));
    expect(policy.decisions.size).toBeLessThanOrEqual(8192);
    const before = policy.decisions.size;
    decide(policy, aUser('u'.repeat(5000)), asks('get a core pods'));
    expect(policy.decisions.size).toBe(before);
  });
});

test('denies a request only on the current policy', async () => {
  const [old, now] = [
    aPolicy(...ROLES),
    aPolicy(...ROLES, ['clusterrolebindings//v', binding('ClusterRole view', 'User u')]),
  ];
  const authorize = rbacAuthorizer(async (at): Promise<Policy> => (at.kind === 'fresh' ? now : old));
  expect((await authorize(aUser('u'), asks('get a core pods'))).decision).toBe('allow');
});

test.each([
  ['with credentials', ['amy', 'system:authenticated'], [1000, 0]],
  ['without credentials, denied', ['system:anonymous', 'system:unauthenticated'], [5000]],
  ['without credentials, allowed', ['public', 'system:unauthenticated'], [5000, 1000]],
])('limits the age of the policy for a user %s', async (_, [name = '', ...groups], ages) => {
  const policy = aPolicy(...ROLES, ['clusterrolebindings//v', binding('ClusterRole view', 'User public')]);
  const asked: number[] = [];
  const authorize = rbacAuthorizer(async (at) => {
    asked.push(at.kind === 'any' ? (at.within ?? NaN) : 0);
    return policy;
  });
  await authorize(aUser(name, ...groups), asks('get a core pods'));
  expect(asked).toEqual(ages);
});

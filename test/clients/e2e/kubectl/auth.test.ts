import { beforeAll, expect, test } from 'vitest';
import { describeKubectls } from './kubectl.ts';

const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: team}
rules:
- {apiGroups: [''], resources: [pods, pods/log], verbs: [get, list]}
- {apiGroups: [''], resources: [configmaps], resourceNames: [one], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}
`;

describeKubectls('auth', (kubectl) => {
  beforeAll(async () => {
    await kubectl().run('create namespace team');
    await kubectl().run(`auth reconcile -f ${kubectl().file('role.yaml', ROLE)}`);
  });

  test.each([
    ['get pods -n team', 'yes'],
    ['get pods --subresource=log -n team', 'yes'],
    ['delete pods -n team', 'no'],
    ['get pods', 'no'],
    ['get configmaps/one -n team', 'yes'],
    ['get configmaps/two -n team', 'no'],
    ['create selfsubjectrulesreviews.authorization.k8s.io', 'yes'],
    ['get /version', 'yes'],
    ['get /metrics', 'no'],
  ])('can-i %s: %s', async (what, answer) => {
    const { stdout } = await kubectl().try(`auth can-i ${what} --as ann --as-group system:authenticated`);
    expect(stdout.trim()).toMatch(new RegExp(`^${answer}\\b`));
  });

  test('can-i --list shows the permissions from cluster roles and roles', async () => {
    const lines = (await kubectl().run('auth can-i --list -n team --no-headers --as ann')).split('\n');
    const rows = lines.map((line) => line.trim().split(/\s{2,}/));
    expect(rows).toContainEqual(['pods/log', '[]', '[]', '[get list]']);
    expect(rows).toContainEqual(['configmaps', '[]', '[one]', '[get list]']);
    expect(rows).toContainEqual(['selfsubjectreviews.authentication.k8s.io', '[]', '[]', '[create]']);
    expect(rows).toContainEqual(['[/openapi/*]', '[]', '[get]']);
  });

  test('a list limited to one name requires only permission for that name', async () => {
    const one = '-n team --as ann --field-selector metadata.name=one -o name';
    expect(await kubectl().run(`get configmaps ${one}`)).toBe('');
    expect(await kubectl().fails('get configmaps -n team --as ann')).toContain(
      'configmaps is forbidden: User "ann" cannot list resource "configmaps" in API group "" in the namespace "team"',
    );
  });

  test('reconcile adds missing permissions, and removes others only on demand', async () => {
    const fewer = kubectl().file(
      'fewer.yaml',
      ROLE.replace(', pods/log', ', services').replace('name: ann', 'name: bob'),
    );
    await kubectl().run(`auth reconcile -f ${fewer}`);
    expect(await kubectl().run('auth can-i get pods --subresource=log -n team --as ann')).toBe('yes');
    expect(await kubectl().run('auth can-i get services -n team --as bob')).toBe('yes');
    await kubectl().run(`auth reconcile -f ${fewer} --remove-extra-permissions --remove-extra-subjects`);
    expect((await kubectl().try('auth can-i get pods -n team --as ann')).stdout.trim()).toBe('no');
    expect((await kubectl().try('auth can-i get pods --subresource=log -n team --as bob')).stdout.trim()).toBe('no');
    await kubectl().run(`auth reconcile -f ${kubectl().file('role.yaml', ROLE)}`);
  });

  test('whoami returns the user', async () => {
    expect(await kubectl().run('auth whoami -o jsonpath={.status.userInfo.username}')).toBe('admin');
    const groups = await kubectl().run('auth whoami --as ann --as-group devs -o jsonpath={.status.userInfo.groups}');
    expect(groups).toBe('["devs","system:authenticated"]');
  });
});

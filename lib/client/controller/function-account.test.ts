import { expect, test } from 'vitest';
import { guessResource } from '#lib/client/guess-resource.ts';
import { parseDeclaration } from './declaration.ts';
import { accountObjects, functionUser, rulesOf } from './function-account.ts';

const declaration = parseDeclaration({
  name: 'sites',
  for: { apiVersion: 'example.com/v1', kind: 'Site' },
  owns: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
  watches: [
    { apiVersion: 'v1', kind: 'Secret', map: { label: 'site' } },
    { apiVersion: 'v1', kind: 'ConfigMap', map: { label: 'site' } },
  ],
  permissions: [
    { apiGroups: [''], resources: ['secrets'], verbs: ['patch'] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ],
});
const resourceOf = ({ kind }: { kind: string }): string => guessResource(kind);

test('creates a role from a declaration, with each resource once', () => {
  const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
  expect(rulesOf([declaration], resourceOf)).toEqual([
    { apiGroups: ['example.com'], resources: ['sites'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
    { apiGroups: ['example.com'], resources: ['sites/status'], verbs: ['get', 'patch', 'update'] },
    { apiGroups: ['example.com'], resources: ['sites/finalizers'], verbs: ['update'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: all },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'patch', 'watch'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'get', 'patch'] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ]);
});

test('binds the role to the account', () => {
  const rules = rulesOf([declaration], resourceOf);
  const given = {
    namespace: 'davit-functions',
    name: 'sites',
    role: 'davit:function:sites',
    labels: { a: 'b' },
    rules,
  };
  const [account, role, binding] = accountObjects(given);
  expect(account).toMatchObject({ kind: 'ServiceAccount', metadata: { namespace: 'davit-functions', name: 'sites' } });
  expect(role).toMatchObject({ kind: 'ClusterRole', metadata: { name: 'davit:function:sites' }, rules });
  expect(binding).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'davit:function:sites' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'davit-functions', name: 'sites' }],
  });
  expect(functionUser('sites')).toBe('system:serviceaccount:davit-functions:sites');
});

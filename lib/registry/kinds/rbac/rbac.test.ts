import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { KindStrategy } from '../../strategy.ts';
import { created, refusals, updateRefusals } from '../proof/strategy-proof.conformance.ts';
import { clusterRoleBindingStrategy, roleBindingStrategy } from './binding.ts';
import { clusterRoleStrategy } from './cluster-role.ts';
import { roleStrategy } from './role.ts';

const binding = (ref: JsonObject, ...subjects: JsonObject[]): JsonObject => ({ roleRef: ref, subjects });
const rules = (...list: JsonObject[]): JsonObject => ({ rules: list });

test('users and groups are of this group', () => {
  const made = created(roleBindingStrategy, binding({ kind: 'Role', name: 'r' }, { kind: 'User', name: 'u' }));
  expect(made).toMatchObject({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }],
  });
});

test.each<[string, KindStrategy, JsonObject, string[]]>([
  [
    'URLs in a namespace',
    roleStrategy,
    rules({ verbs: ['get'], nonResourceURLs: ['/x'] }),
    ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
  ],
  [
    'URLs and resources',
    clusterRoleStrategy,
    rules({ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }),
    [
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ],
  [
    'an aggregate of nothing',
    clusterRoleStrategy,
    { aggregationRule: {} },
    [
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
  ],
  [
    'a role in the cluster',
    clusterRoleBindingStrategy,
    binding({ kind: 'Role', name: 'r' }),
    ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
  ],
  [
    'an account of nowhere',
    clusterRoleBindingStrategy,
    binding({ kind: 'ClusterRole', name: 'r' }, { kind: 'ServiceAccount', name: 'a' }),
    ['subjects[0].namespace: Required value'],
  ],
])('refused: %s', (_name, strategy, object, want) => {
  expect(refusals(strategy, object)).toEqual(want);
});

test('a binding stays one of its role', () => {
  const errors = updateRefusals(
    roleBindingStrategy,
    binding({ kind: 'Role', name: 'b' }),
    binding({ kind: 'Role', name: 'a' }),
  );
  expect(errors).toEqual([
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
  ]);
});

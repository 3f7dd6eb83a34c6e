import { expect, test } from 'vitest';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { created, refusals, updateRefusals } from '../proof/strategy-proof.conformance.ts';

const binding = (ref: JsonObject, ...subjects: JsonObject[]): JsonObject => ({ roleRef: ref, subjects });
const rules = (...list: JsonObject[]): JsonObject => ({ rules: list });

test('sets the API group of role, users and groups by default', () => {
  const made = created(ROLE_BINDINGS, binding({ kind: 'Role', name: 'r' }, { kind: 'User', name: 'u' }));
  expect(made).toMatchObject({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }],
  });
});

test.each<[string, GroupVersionResource, JsonObject, string[]]>([
  [
    'URLs in a namespaced role',
    ROLES,
    rules({ verbs: ['get'], nonResourceURLs: ['/x'] }),
    ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
  ],
  [
    'both URLs and resources in one rule',
    CLUSTER_ROLES,
    rules({ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }),
    [
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ],
  [
    'an aggregation rule without selectors',
    CLUSTER_ROLES,
    { aggregationRule: {} },
    [
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
  ],
  [
    'a Role in a cluster role binding',
    CLUSTER_ROLE_BINDINGS,
    binding({ kind: 'Role', name: 'r' }),
    ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
  ],
  [
    'a service account without a namespace',
    CLUSTER_ROLE_BINDINGS,
    binding({ kind: 'ClusterRole', name: 'r' }, { kind: 'ServiceAccount', name: 'a' }),
    ['subjects[0].namespace: Required value'],
  ],
])('rejects RBAC objects with %s', (_name, resource, object, want) => {
  expect(refusals(resource, object)).toEqual(want);
});

test('rejects a changed role of a binding', () => {
  const errors = updateRefusals(
    ROLE_BINDINGS,
    binding({ kind: 'Role', name: 'b' }),
    binding({ kind: 'Role', name: 'a' }),
  );
  expect(errors).toEqual([
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
  ]);
});

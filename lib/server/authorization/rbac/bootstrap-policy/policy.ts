import type { JsonObject } from '#lib/machinery/json-value.ts';
import { RBAC } from '../policy-source.ts';
import { CLUSTER_ROLE_BINDINGS, NAMESPACED_ROLES } from './bindings.ts';
import { AGGREGATED_ROLES, CLUSTER_ROLES } from './cluster-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import { OWN_BINDINGS, OWN_ROLES } from './own-policy.ts';
import { type Expected, ruleOf, subjectOf } from './table.ts';

/** If `false`, the object is not reconciled: upstream's reconcile-protected. */
export const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const CONTROLLER = 'system:controller:';
const AGGREGATE_TO = 'rbac.authorization.k8s.io/aggregate-to-';

/** The roles and bindings of upstream's bootstrappolicy, roles first. */
export function bootstrapPolicy(): Expected[] {
  return [...clusterRoles(), ...clusterRoleBindings(), ...namespaced()];
}

/** Additional roles and bindings for this program's controllers. */
export function ownPolicy(): Expected[] {
  return [
    ...Object.entries(OWN_ROLES).map(([name, rules]) => role({ name }, rules)),
    ...Object.entries(OWN_BINDINGS).map(([name, subjects]) => binding({ name }, name, subjects)),
  ];
}

function clusterRoles(): Expected[] {
  const plain = Object.entries(CLUSTER_ROLES).map(([name, rules]) => role({ name }, rules));
  const controllers = Object.entries(CONTROLLER_ROLES).map(([name, rules]) => role({ name: CONTROLLER + name }, rules));
  const aggregated = Object.entries(AGGREGATED_ROLES).map(([name, { aggregates, aggregatesTo, rules }]) =>
    role(
      { name, ...(aggregatesTo === undefined ? {} : { labels: { [AGGREGATE_TO + aggregatesTo]: 'true' } }) },
      rules,
      aggregates === undefined
        ? {}
        : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE_TO + aggregates]: 'true' } }] } },
    ),
  );
  return [...plain, ...aggregated, ...controllers];
}

function clusterRoleBindings(): Expected[] {
  const accounts = Object.keys(CONTROLLER_ROLES).map((name): [string, string[]] => [
    CONTROLLER + name,
    [`ServiceAccount kube-system/${name}`],
  ]);
  return [...Object.entries(CLUSTER_ROLE_BINDINGS), ...accounts].map(([name, subjects]) =>
    binding({ name }, name, subjects),
  );
}

function namespaced(): Expected[] {
  return Object.entries(NAMESPACED_ROLES).flatMap(([namespace, { roles, bindings }]) => [
    ...Object.entries(roles).map(([name, rules]) => role({ name, namespace }, rules)),
    ...Object.entries(bindings).map(([name, to]) => binding({ name, namespace }, to.role, to.subjects)),
  ]);
}

interface Named {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const metadata = ({ labels = {}, ...named }: Named): JsonObject => ({
  ...named,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  annotations: { [AUTO_UPDATE]: 'true' },
});

const resource = (plural: string, { namespace }: Named): Expected['resource'] => ({
  group: RBAC,
  version: 'v1',
  resource: namespace === undefined ? `cluster${plural}` : plural,
});

const role = (named: Named, rules: readonly string[], more: JsonObject = {}): Expected => ({
  resource: resource('roles', named),
  object: { metadata: metadata(named), ...more, rules: rules.map(ruleOf) },
});

function binding(named: Named, to: string, subjects: readonly string[]): Expected {
  const roleRef = { apiGroup: RBAC, kind: named.namespace === undefined ? 'ClusterRole' : 'Role', name: to };
  return {
    resource: resource('rolebindings', named),
    object: {
      metadata: metadata(named),
      roleRef,
      ...(subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) }),
    },
  };
}

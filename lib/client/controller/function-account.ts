import type { JsonObject } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { serviceAccountName } from '#lib/server/authentication/service-account/user.ts';
import type { Declaration, Permission } from './declaration.ts';

/** The namespace of the service accounts of users' reconcilers. */
export const FUNCTIONS_NAMESPACE = 'davit-functions';

/** The user name of a reconciler: the service account with the reconciler's name. */
export const functionUser = (name: string): string => serviceAccountName(FUNCTIONS_NAMESPACE, name);

/** The resource of a kind, such as `pods`. */
export type ResourceOf = (kind: { readonly apiVersion: string; readonly kind: string }) => string;

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
/** The permission to write events. */
const EVENTS: Permission = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'get', 'patch'] };

/**
 * The RBAC rules that reconcilers need for their declarations. They may read and patch reconciled objects, including status and finalizers.
 * They may use all verbs on owned kinds, read watched kinds and write events. The rules in `permissions` are added.
 */
export function rulesOf(declarations: readonly Declaration[], resourceOf: ResourceOf): readonly Permission[] {
  const needed = declarations.flatMap((declaration) => neededBy(declaration, resourceOf));
  return merged([...needed, EVENTS, ...declarations.flatMap(({ permissions }) => permissions)]);
}

function neededBy({ for: own, owns, watches }: Declaration, resourceOf: ResourceOf): readonly Permission[] {
  const rule = (kind: Parameters<ResourceOf>[0], verbs: readonly string[], subresource = ''): Permission => ({
    apiGroups: [parseApiVersion(kind.apiVersion)?.group ?? ''],
    resources: [`${resourceOf(kind)}${subresource}`],
    verbs,
  });
  return [
    rule(own, [...READ, 'patch', 'update']),
    rule(own, ['get', 'patch', 'update'], '/status'),
    rule(own, ['update'], '/finalizers'), // allows owner references that block the deletion of the owner
    ...owns.map((kind) => rule(kind, [...READ, ...WRITE])),
    ...watches.map((kind) => rule(kind, READ)),
  ];
}

/** One rule for each set of resources, with all its verbs, in the order of their first rules. */
function merged(rules: readonly Permission[]): readonly Permission[] {
  const byThing = new Map<string, Permission>();
  for (const { verbs, ...thing } of rules) {
    const name = JSON.stringify(thing);
    const known = byThing.get(name)?.verbs ?? [];
    byThing.set(name, { ...thing, verbs: [...new Set([...known, ...verbs])].sort() });
  }
  return [...byThing.values()];
}

/** A service account and its role with the given `rules`. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
  /** The name of the account's role and role binding. */
  readonly role: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly Permission[];
}

/** The objects of the account: ServiceAccount, ClusterRole and ClusterRoleBinding. */
export function accountObjects({ namespace, name, role, labels, rules }: Account): readonly JsonObject[] {
  const RBAC = 'rbac.authorization.k8s.io';
  const own = { apiVersion: `${RBAC}/v1`, metadata: { name: role, labels } };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name, labels } },
    { ...own, kind: 'ClusterRole', rules: rules.map(ruleObject) },
    {
      ...own,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', namespace, name }],
    },
  ];
}

/** Writes the fields in RBAC's order. */
function ruleObject({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: Permission): JsonObject {
  const given = Object.entries({ apiGroups, resources, resourceNames, nonResourceURLs, verbs });
  return Object.fromEntries(given.flatMap(([field, all]) => (all === undefined ? [] : [[field, [...all]]])));
}

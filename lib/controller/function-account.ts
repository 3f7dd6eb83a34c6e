import { serviceAccountName } from '#lib/authentication/service-account/user.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { Declaration, Permission } from './declaration.ts';

/** Where the service accounts of users' reconcilers are. */
export const FUNCTIONS_NAMESPACE = 'davit-functions';

/** The user that a reconciler acts as: the service account of its name. */
export const functionUser = (name: string): string => serviceAccountName(FUNCTIONS_NAMESPACE, name);

/** The resource of a kind, such as `pods`. */
export type ResourceOf = (kind: { readonly apiVersion: string; readonly kind: string }) => string;

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
/** What tells of an object what was done with it. */
const EVENTS: Permission = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'get', 'patch'] };

/**
 * What reconcilers may do, by their declarations: read and patch what they reconcile, with its status and finalizers; do everything
 * with what they own; read what they watch; write events; and what `permissions` add.
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
    rule(own, ['update'], '/finalizers'), // whoever makes objects that block the deletion of their owner
    ...owns.map((kind) => rule(kind, [...READ, ...WRITE])),
    ...watches.map((kind) => rule(kind, READ)),
  ];
}

/** One rule for each thing that is named, with all that may be done to it; in the order in which they are first named. */
function merged(rules: readonly Permission[]): readonly Permission[] {
  const byThing = new Map<string, Permission>();
  for (const { verbs, ...thing } of rules) {
    const name = JSON.stringify(thing);
    const known = byThing.get(name)?.verbs ?? [];
    byThing.set(name, { ...thing, verbs: [...new Set([...known, ...verbs])].sort() });
  }
  return [...byThing.values()];
}

/** A service account with the role that `rules` are. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
  /** The name of its role, and of what binds it. */
  readonly role: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly Permission[];
}

/** The objects that make it so: ServiceAccount, ClusterRole and ClusterRoleBinding. */
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

/** Fields in RBAC's order. */
function ruleObject({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: Permission): JsonObject {
  const given = Object.entries({ apiGroups, resources, resourceNames, nonResourceURLs, verbs });
  return Object.fromEntries(given.flatMap(([field, all]) => (all === undefined ? [] : [[field, [...all]]])));
}

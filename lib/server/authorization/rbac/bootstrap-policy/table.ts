import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { RBAC } from '../policy-source.ts';

/** Rules by role name, in the format of `ruleOf`. */
export type RoleTable = Readonly<Record<string, readonly string[]>>;

/** Roles that are aggregated, with the aggregate roles that they select or belong to. */
export type AggregatedRoles = Readonly<
  Record<string, { readonly aggregates?: string; readonly aggregatesTo?: string; readonly rules: readonly string[] }>
>;

/** Subjects by binding name, in the format `User x`, `Group x` or `ServiceAccount namespace/x`. */
export type BindingTable = Readonly<Record<string, readonly string[]>>;

/** Roles and their bindings by namespace. */
export type NamespacedRoles = Readonly<
  Record<
    string,
    {
      readonly roles: RoleTable;
      readonly bindings: Readonly<Record<string, { readonly role: string; readonly subjects: readonly string[] }>>;
    }
  >
>;

/** An initial object of a cluster and its resource. */
export interface Expected {
  readonly resource: GroupVersionResource;
  readonly object: JsonObject;
}

/** Parses a rule: `get,list core,apps pods,pods/log name1,name2`, `get /healthz,/livez` or `* *`. `core` is the group without a name. */
export function ruleOf(row: string): JsonObject {
  const [verbs = [], second = [], resources, resourceNames] = row.split(' ').map((part) => part.split(','));
  if (resources === undefined) return { verbs, nonResourceURLs: second };
  const apiGroups = second.map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources, ...defined({ resourceNames }) };
}

/** Parses a subject: `User x`, `Group x` or `ServiceAccount namespace/x`. */
export function subjectOf(row: string): JsonObject {
  const [kind = '', name = ''] = row.split(' ');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: RBAC, name };
  const [namespace = '', account = ''] = name.split('/');
  return { kind, name: account, namespace };
}

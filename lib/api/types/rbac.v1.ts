// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';

/** The ClusterRoles that are gathered. */
export type AggregationRule = {
  [typed]?: 'rbac.v1.AggregationRule';
  clusterRoleSelectors?: LabelSelector[];
};

/** Rules of what may be done in all of the cluster, or in the namespaces of RoleBindings that name it. */
export type ClusterRole = {
  [typed]?: 'rbac.v1.ClusterRole';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  rules: PolicyRule[] | null;
  aggregationRule?: AggregationRule;
};

/** Gives a ClusterRole to users, groups and service accounts in all of the cluster. */
export type ClusterRoleBinding = {
  [typed]?: 'rbac.v1.ClusterRoleBinding';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
};

/** A list of objects of kind ClusterRoleBinding. */
export type ClusterRoleBindingList = {
  [typed]?: 'rbac.v1.ClusterRoleBindingList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ClusterRoleBinding[] | null;
};

/** A list of objects of kind ClusterRole. */
export type ClusterRoleList = {
  [typed]?: 'rbac.v1.ClusterRoleList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ClusterRole[] | null;
};

/** Verbs that are allowed on resources or on paths. */
export type PolicyRule = {
  [typed]?: 'rbac.v1.PolicyRule';
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
};

/** Rules of what may be done in one namespace. */
export type Role = {
  [typed]?: 'rbac.v1.Role';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  rules: PolicyRule[] | null;
};

/** Gives a role to users, groups and service accounts in one namespace. */
export type RoleBinding = {
  [typed]?: 'rbac.v1.RoleBinding';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
};

/** A list of objects of kind RoleBinding. */
export type RoleBindingList = {
  [typed]?: 'rbac.v1.RoleBindingList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: RoleBinding[] | null;
};

/** A list of objects of kind Role. */
export type RoleList = {
  [typed]?: 'rbac.v1.RoleList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Role[] | null;
};

/** Names a role. */
export type RoleRef = {
  [typed]?: 'rbac.v1.RoleRef';
  apiGroup: string;
  kind: string;
  name: string;
};

/** A user, a group or a service account. */
export type Subject = {
  [typed]?: 'rbac.v1.Subject';
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
};

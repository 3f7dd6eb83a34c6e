import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { clusterRoleBindingStrategy, roleBindingStrategy } from './binding.ts';
import { clusterRoleStrategy } from './cluster-role.ts';
import { roleStrategy } from './role.ts';

/** The strategies of the group `rbac.authorization.k8s.io`. */
export const rbacStrategies: KindStrategies = {
  ...strategyOf(CLUSTER_ROLE_BINDINGS, clusterRoleBindingStrategy),
  ...strategyOf(CLUSTER_ROLES, clusterRoleStrategy),
  ...strategyOf(ROLE_BINDINGS, roleBindingStrategy),
  ...strategyOf(ROLES, roleStrategy),
};

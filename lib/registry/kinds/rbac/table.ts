import { CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS, ROLES, ROLE_BINDINGS } from '#lib/api/types/resources.ts';
import { strategyOf, type KindStrategies } from '../../strategy.ts';
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

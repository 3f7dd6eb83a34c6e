import type { KindStrategies } from '../../strategy.ts';
import { clusterRoleBindingStrategy, roleBindingStrategy } from './binding.ts';
import { clusterRoleStrategy } from './cluster-role.ts';
import { roleStrategy } from './role.ts';

export const rbacStrategies: KindStrategies = {
  'rbac.authorization.k8s.io/clusterrolebindings': clusterRoleBindingStrategy,
  'rbac.authorization.k8s.io/clusterroles': clusterRoleStrategy,
  'rbac.authorization.k8s.io/rolebindings': roleBindingStrategy,
  'rbac.authorization.k8s.io/roles': roleStrategy,
};

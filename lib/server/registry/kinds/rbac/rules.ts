import type { ClusterRole, PolicyRule, Role } from '#lib/api/types/rbac.v1.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { each } from '../shared/validate.ts';

/** Roles and bindings may have any name that is a valid path segment. */
export const validateRBACName = pathSegmentName;

/** Upstream's ValidatePolicyRule for each rule: resources or, in cluster roles only, URLs. */
export function validateRules(role: Role | ClusterRole, namespaced: boolean): FieldError[] {
  return each(role.rules ?? [], FieldPath.of('rules'), (rule, path) => [
    ...((rule.verbs ?? []).length === 0
      ? [required(path.child('verbs'), 'verbs must contain at least one value')]
      : []),
    ...((rule.nonResourceURLs ?? []).length > 0 ? urlErrors(rule, path, namespaced) : resourceErrors(rule, path)),
  ]);
}

function urlErrors(rule: PolicyRule, path: FieldPath, namespaced: boolean): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const where = path.child('nonResourceURLs');
  const both = [rule.apiGroups, rule.resources, rule.resourceNames].some((list = []) => list.length > 0);
  return [
    ...(namespaced ? [invalid(where, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
    ...(both ? [invalid(where, urls, 'rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
}

function resourceErrors(rule: PolicyRule, path: FieldPath): FieldError[] {
  const none = (field: 'apiGroups' | 'resources'): boolean => (rule[field] ?? []).length === 0;
  return [
    ...(none('apiGroups')
      ? [required(path.child('apiGroups'), 'resource rules must supply at least one api group')]
      : []),
    ...(none('resources')
      ? [required(path.child('resources'), 'resource rules must supply at least one resource')]
      : []),
  ];
}

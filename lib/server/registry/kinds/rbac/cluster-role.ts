import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import type { ClusterRole } from '#lib/api/types/rbac.v1.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { parseLabelSelector } from '../shared/label-selector.ts';
import { each } from '../shared/validate.ts';
import { validateRBACName, validateRules } from './rules.ts';

const SELECTORS = FieldPath.of('aggregationRule', 'clusterRoleSelectors');

const selectorsOf = (role: ClusterRole | undefined): LabelSelector[] =>
  role?.aggregationRule?.clusterRoleSelectors ?? [];

/** An aggregated role must have a selector. Stored selectors remain valid. */
function validateAggregation(role: ClusterRole, old: ClusterRole | undefined): FieldError[] {
  if (role.aggregationRule === undefined) return [];
  const selectors = selectorsOf(role);
  if (selectors.length === 0) {
    return [required(SELECTORS, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  const allowInvalidValues = selectorsOf(old).some((selector) => validateLabelSelector(selector, SELECTORS).length > 0);
  return each(selectors, SELECTORS, (selector, path) => [
    ...validateLabelSelector(selector, path, { allowInvalidValues }),
    ...(parseLabelSelector(selector) === undefined ? [invalid(path, null, 'invalid label selector.')] : []),
  ]);
}

function validate(role: ClusterRole, old?: ClusterRole): FieldError[] {
  return [...validateRules(role, false), ...validateAggregation(role, old)];
}

/** Upstream's pkg/registry/rbac/clusterrole. */
export const clusterRoleStrategy: KindStrategy<ClusterRole> = {
  validateName: validateRBACName,
  allowCreateOnUpdate: true,
  validate: (role) => validate(role),
  validateUpdate: validate,
};

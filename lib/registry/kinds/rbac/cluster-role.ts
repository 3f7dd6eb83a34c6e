import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { parseLabelSelector } from '../shared/label-selector.ts';
import { each } from '../shared/validate.ts';
import { validateRBACName, validateRules } from './rules.ts';

const SELECTORS = FieldPath.of('aggregationRule', 'clusterRoleSelectors');

const selectorsOf = (role: JsonObject | undefined): JsonObject[] =>
  items(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors');

/** A role that is the union of others selects at least some; selectors that were once accepted stay so. */
function validateAggregation(role: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (objectAt(role, 'aggregationRule') === undefined) return [];
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

function validate(role: JsonObject, old?: JsonObject): FieldError[] {
  return [...validateRules(role, false), ...validateAggregation(role, old)];
}

/** Upstream's pkg/registry/rbac/clusterrole. */
export const clusterRoleStrategy: KindStrategy = {
  validateName: validateRBACName,
  allowCreateOnUpdate: true,
  validate: (role) => validate(role),
  validateUpdate: validate,
};

import { objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateConditions } from '../shared/conditions.ts';
import { notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { shownSelector } from '../shared/label-selector.ts';
import { keepField, statusStrategy } from '../shared/status.ts';
import { nonnegative, optionalOneOf } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const SELECTOR = SPEC.child('selector');
const STATUS = FieldPath.of('status');

function validate(budget: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(budget, 'spec') ?? {};
  const both = has(spec, 'minAvailable') && has(spec, 'maxUnavailable');
  const before = objectAt(objectAt(old, 'spec'), 'selector');
  const allowInvalidValues = validateLabelSelector(before, SELECTOR).length > 0;
  return [
    ...(both ? [invalid(SPEC, shown(spec), 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...amountErrors(spec, 'minAvailable'),
    ...amountErrors(spec, 'maxUnavailable'),
    ...validateLabelSelector(objectAt(spec, 'selector'), SELECTOR, { allowInvalidValues }),
    ...optionalOneOf(spec, 'unhealthyPodEvictionPolicy', SPEC, ['AlwaysAllow', 'IfHealthyBudget']),
  ];
}

function amountErrors(spec: JsonObject, field: string): FieldError[] {
  return has(spec, field) ? [...validateIntOrPercent(spec, field, SPEC), ...notAboveAll(spec, field, SPEC)] : [];
}

/** By the fields of Go's type. */
function shown(spec: JsonObject): ReadonlyMap<string, unknown> {
  const value = (field: string): Json => ownField(spec, field) ?? null;
  return new Map<string, unknown>([
    ['MinAvailable', value('minAvailable')],
    ['Selector', shownSelector(objectAt(spec, 'selector'))],
    ['MaxUnavailable', value('maxUnavailable')],
    ['UnhealthyPodEvictionPolicy', value('unhealthyPodEvictionPolicy')],
  ]);
}

function validateStatus(budget: JsonObject): FieldError[] {
  const status = objectAt(budget, 'status');
  return [
    ...validateConditions(items(status, 'conditions'), STATUS.child('conditions')),
    ...nonnegative(status, STATUS, 'disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'),
  ];
}

/** Upstream's pkg/registry/policy/poddisruptionbudget. */
export const podDisruptionBudgetStrategy: KindStrategy = {
  allowUnconditionalUpdate: false,
  prepareForCreate(budget) {
    budget['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: (budget, old) => keepField(budget, old, 'status'),
  validate: (budget) => validate(budget),
  validateUpdate: validate,
  subresources: { status: statusStrategy(validateStatus) },
};

import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '#lib/api/types/policy.v1.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
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

function validate(budget: PodDisruptionBudget, old?: PodDisruptionBudget): FieldError[] {
  const { spec } = budget;
  const both = spec.minAvailable !== undefined && spec.maxUnavailable !== undefined;
  const before = old?.spec.selector;
  const allowInvalidValues = validateLabelSelector(before, SELECTOR).length > 0;
  return [
    ...(both ? [invalid(SPEC, shown(spec), 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...amountErrors(spec, 'minAvailable'),
    ...amountErrors(spec, 'maxUnavailable'),
    ...validateLabelSelector(spec.selector, SELECTOR, { allowInvalidValues }),
    ...optionalOneOf(spec, 'unhealthyPodEvictionPolicy', SPEC, ['AlwaysAllow', 'IfHealthyBudget']),
  ];
}

function amountErrors(spec: PodDisruptionBudgetSpec, field: 'minAvailable' | 'maxUnavailable'): FieldError[] {
  return spec[field] !== undefined
    ? [...validateIntOrPercent(spec, field, SPEC), ...notAboveAll(spec, field, SPEC)]
    : [];
}

/** The spec in the field order of Go's type. */
function shown(spec: PodDisruptionBudgetSpec): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['MinAvailable', spec.minAvailable ?? null],
    ['Selector', shownSelector(spec.selector)],
    ['MaxUnavailable', spec.maxUnavailable ?? null],
    ['UnhealthyPodEvictionPolicy', spec.unhealthyPodEvictionPolicy ?? null],
  ]);
}

function validateStatus({ status }: PodDisruptionBudget): FieldError[] {
  return [
    ...validateConditions(status.conditions ?? [], STATUS.child('conditions')),
    ...nonnegative(status, STATUS, 'disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'),
  ];
}

/** Upstream's pkg/registry/policy/poddisruptionbudget. */
export const podDisruptionBudgetStrategy: KindStrategy<PodDisruptionBudget> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(budget) {
    budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: (budget, old) => keepField(budget, old, 'status'),
  validate: (budget) => validate(budget),
  validateUpdate: validate,
  subresources: { status: statusStrategy(validateStatus) },
};

import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden, invalid, required } from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { checked, each, objectName } from '../../../shared/validate.ts';

/** Upstream's ValidateNodeSelector. `allowInvalidValues` is for objects stored before values were validated, and for preferences. */
export function validateNodeSelector(
  { nodeSelectorTerms }: NodeSelector,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  const terms = nodeSelectorTerms ?? [];
  const where = path.child('nodeSelectorTerms');
  if (terms.length === 0) return [required(where, 'must have at least one node selector term')];
  return each(terms, where, (term, at) => validateNodeSelectorTerm(term, at, allowInvalidValues));
}

function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  return [
    ...each(matchExpressions, path.child('matchExpressions'), (requirement, at) =>
      expression(requirement, at, allowInvalidValues),
    ),
    ...each(matchFields, path.child('matchFields'), fieldRequirement),
  ];
}

function expression(
  { key, operator: name, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  return [
    ...operator(name, values.length, path),
    ...validateLabelName(key, path.child('key')),
    ...(allowInvalidValues
      ? []
      : each(values, path.child('values'), (value, at) => checked(value, at, isValidLabelValue))),
  ];
}

const NOT_AN_OPERATOR = 'not a valid selector operator';

function operator(name: string, values: number, path: FieldPath): FieldError[] {
  const where = path.child('values');
  switch (name) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [required(where, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values === 0) return [];
      return [forbidden(where, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return values === 1 ? [] : [required(where, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(path.child('operator'), name, NOT_AN_OPERATOR)];
  }
}

const ONE_VALUE = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";

function fieldRequirement(
  { key, operator: name, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  const known = name === 'In' || name === 'NotIn';
  return [
    ...(known ? [] : [invalid(path.child('operator'), name, NOT_AN_OPERATOR)]),
    ...(known && values.length !== 1 ? [required(path.child('values'), ONE_VALUE)] : []),
    ...(key === 'metadata.name'
      ? each(values, path.child('values'), objectName)
      : [invalid(path.child('key'), key, 'not a valid field selector key')]),
  ];
}

const WEIGHT = 'must be in the range 1-100';

/** Validates the weight of a preference. */
export function validateWeight({ weight }: { readonly weight: number }, path: FieldPath): FieldError[] {
  return weight <= 0 || weight > 100 ? [invalid(path.child('weight'), weight, WEIGHT)] : [];
}

/** Upstream's ValidatePreferredSchedulingTerms. */
export function validatePreferredTerms(terms: readonly PreferredSchedulingTerm[], path: FieldPath): FieldError[] {
  return each(terms, path, (term, at) => [
    ...validateWeight(term, at),
    ...validateNodeSelectorTerm(term.preference, at.child('preference'), true),
  ]);
}

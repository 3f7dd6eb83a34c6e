import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, items, text, texts } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { checked, each, objectName } from '../../../shared/validate.ts';

/** `allowInvalidValues`: for objects that were stored before values were checked, and for preferences. */
export function validateNodeSelector(selector: JsonObject, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  const terms = items(selector, 'nodeSelectorTerms');
  const where = path.child('nodeSelectorTerms');
  if (terms.length === 0) return [required(where, 'must have at least one node selector term')];
  return each(terms, where, (term, at) => validateNodeSelectorTerm(term, at, allowInvalidValues));
}

function validateNodeSelectorTerm(term: JsonObject, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  return [
    ...each(items(term, 'matchExpressions'), path.child('matchExpressions'), (requirement, at) =>
      expression(requirement, at, allowInvalidValues),
    ),
    ...each(items(term, 'matchFields'), path.child('matchFields'), fieldRequirement),
  ];
}

function expression(requirement: JsonObject, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  const values = texts(requirement, 'values');
  return [
    ...operator(requirement, values.length, path),
    ...validateLabelName(text(requirement, 'key'), path.child('key')),
    ...(allowInvalidValues
      ? []
      : each(values, path.child('values'), (value, at) => checked(value, at, isValidLabelValue))),
  ];
}

const NOT_AN_OPERATOR = 'not a valid selector operator';

function operator(requirement: JsonObject, values: number, path: FieldPath): FieldError[] {
  const where = path.child('values');
  const name = text(requirement, 'operator');
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

function fieldRequirement(requirement: JsonObject, path: FieldPath): FieldError[] {
  const values = texts(requirement, 'values');
  const name = text(requirement, 'operator');
  const key = text(requirement, 'key');
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

/** The weight of a preference. */
export function validateWeight(term: JsonObject, path: FieldPath): FieldError[] {
  const weight = count(term, 'weight');
  return weight <= 0 || weight > 100 ? [invalid(path.child('weight'), weight, WEIGHT)] : [];
}

export function validatePreferredTerms(terms: readonly JsonObject[], path: FieldPath): FieldError[] {
  return each(terms, path, (term, at) => [
    ...validateWeight(term, at),
    ...validateNodeSelectorTerm(objectAt(term, 'preference') ?? {}, at.child('preference'), true),
  ]);
}

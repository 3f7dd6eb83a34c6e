import { arrayAt, type Json, type JsonObject, objectAt, ownField, stringAt } from '../json-value.ts';
import { type FieldError, type FieldPath, forbidden, invalid, required } from './field.ts';
import { stringEntries } from './messages.ts';
import { isQualifiedName, isValidLabelValue } from './names.ts';

/** Upstream's ValidateLabelName. */
export function validateLabelName(name: string, path: FieldPath): FieldError[] {
  return isQualifiedName(name).map((message) => invalid(path, name, message));
}

/** Upstream's ValidateLabels: the errors of keys and values. Ignores values that are not strings. */
export function validateLabels(labels: JsonObject | undefined, path: FieldPath): FieldError[] {
  return stringEntries(labels).flatMap(([key, value]) => [
    ...validateLabelName(key, path),
    ...isValidLabelValue(value).map((message) => invalid(path, value, message)),
  ]);
}

/** Upstream's LabelSelectorValidationOptions. */
export interface LabelSelectorOptions {
  /** Allows invalid values, for objects stored before values were validated. */
  readonly allowInvalidValues?: boolean;
  readonly allowUnknownOperators?: boolean;
}

/** Upstream's ValidateLabelSelector for a `metav1.LabelSelector`. An absent one is valid. */
export function validateLabelSelector(
  selector: JsonObject | undefined,
  path: FieldPath,
  options: LabelSelectorOptions = {},
): FieldError[] {
  const expressions = path.child('matchExpressions');
  return [
    ...validateLabels(objectAt(selector, 'matchLabels'), path.child('matchLabels')),
    ...arrayAt(selector, 'matchExpressions').flatMap((item, i) => requirement(item, expressions.index(i), options)),
  ];
}

function requirement(item: Json, path: FieldPath, options: LabelSelectorOptions): FieldError[] {
  const object = typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {};
  const values = arrayAt(object, 'values');
  const errors = operatorErrors(object, values.length, path, options);
  errors.push(...validateLabelName(stringAt(object, 'key') ?? '', path.child('key')));
  if (options.allowInvalidValues === true) return errors;
  for (const [i, value] of values.entries()) {
    const text = typeof value === 'string' ? value : '';
    errors.push(...isValidLabelValue(text).map((message) => invalid(path.child('values').index(i), text, message)));
  }
  return errors;
}

function operatorErrors(
  item: JsonObject,
  values: number,
  path: FieldPath,
  options: LabelSelectorOptions,
): FieldError[] {
  const operator = ownField(item, 'operator') ?? '';
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values > 0) return [];
      return [required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values === 0) return [];
      return [forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      if (options.allowUnknownOperators === true) return [];
      return [invalid(path.child('operator'), operator, 'not a valid selector operator')];
  }
}

import { validFieldPath } from '#lib/api/schema/field-path.ts';
import type { JSONSchemaProps, ValidationRule } from '#lib/api/schema/json-schema-props.ts';
import { unsupportedField } from '#lib/api/schema/structural.ts';
import { type FieldError, type FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasNewlines = (text: string): boolean => /[\n\r]/.test(text);

/** Validates `x-kubernetes-validations` without compiling the expressions. */
export function validateRules(s: JSONSchemaProps, path: FieldPath): FieldError[] {
  return (s.validations ?? []).flatMap((rule, i) => {
    const at = path.child('x-kubernetes-validations').index(i);
    return [...textErrors(rule, at), ...fieldPathErrors(s, rule.fieldPath ?? '', at.child('fieldPath'))];
  });
}

function textErrors(rule: ValidationRule, path: FieldPath): FieldError[] {
  const { messageExpression = '', reason } = rule;
  const errors = messageErrors(rule, path);
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(path.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(notSupported(path.child('reason'), reason, REASONS));
  }
  return errors;
}

function messageErrors({ rule, message = '' }: ValidationRule, path: FieldPath): FieldError[] {
  const trimmed = message.trim();
  const at = path.child('message');
  if (rule.trim() === '') return [required(path.child('rule'), 'rule is not specified')];
  if (message !== '' && trimmed === '') return [invalid(at, message, 'must be non-empty if specified')];
  if (hasNewlines(trimmed)) return [invalid(at, message, 'must not contain line breaks')];
  if (!hasNewlines(rule.trim()) || trimmed !== '') return [];
  return [required(at, 'message must be specified if rule contains line breaks')];
}

function fieldPathErrors(s: JSONSchemaProps, fieldPath: string, path: FieldPath): FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(invalid(path, fieldPath, 'must be non-empty if specified'));
  if (hasNewlines(fieldPath)) errors.push(invalid(path, fieldPath, 'must not contain line breaks'));
  if (unsupportedField(s) === undefined && typeof validFieldPath(fieldPath, s) === 'string') {
    errors.push(invalid(path, fieldPath, 'must be a valid path'));
  }
  return errors;
}

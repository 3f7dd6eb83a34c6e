import type { Condition } from '#lib/api/types/meta.v1.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { byteLength, regexError } from '#lib/machinery/validation/messages.ts';
import { each } from './validate.ts';

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const REASON_ERROR = regexError(
  REASON_TEXT,
  REASON,
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);
const WHOLE_REASON = new RegExp(`^${REASON}$`);
const STATUSES = ['False', 'True', 'Unknown'];

/** Upstream's ValidateConditions for `metav1.Condition` lists. */
export function validateConditions(conditions: readonly Condition[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return each(conditions, path, (condition, where) => {
    const { type } = condition;
    const again = seen.has(type);
    seen.add(type);
    return [...(again ? [duplicate(where.child('type'), type)] : []), ...validateCondition(condition, where)];
  });
}

function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const { status, observedGeneration: observed = 0 } = condition;
  const message = byteLength(condition.message);
  return [
    ...validateLabelName(condition.type, path.child('type')),
    ...(STATUSES.includes(status) ? [] : [notSupported(path.child('status'), status, STATUSES)]),
    ...(observed < 0
      ? [invalid(path.child('observedGeneration'), observed, 'must be greater than or equal to zero')]
      : []),
    ...(condition.lastTransitionTime !== null ? [] : [required(path.child('lastTransitionTime'))]),
    ...reasonErrors(condition.reason, path.child('reason')),
    ...(message > 32_768 ? [tooLong(path.child('message'), 32_768)] : []),
  ];
}

function reasonErrors(reason: string, path: FieldPath): FieldError[] {
  if (reason === '') return [required(path)];
  return [
    ...(WHOLE_REASON.test(reason) ? [] : [invalid(path, reason, REASON_ERROR)]),
    ...(byteLength(reason) > 1024 ? [tooLong(path, 1024)] : []),
  ];
}

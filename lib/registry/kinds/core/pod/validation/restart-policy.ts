import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { notSupported, required, tooMany, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { each, optionalOneOf } from '../../../shared/validate.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MISSING = 'must specify restartPolicy when restart rules are used';

/** The container's own restart policy and its rules. */
export function validateContainerRestartPolicy(container: JsonObject, path: FieldPath): FieldError[] {
  const rules = items(container, 'restartPolicyRules');
  const where = path.child('restartPolicyRules');
  if (!has(container, 'restartPolicy') && rules.length === 0) return [];
  return [
    ...(has(container, 'restartPolicy')
      ? optionalOneOf(container, 'restartPolicy', path, POLICIES)
      : [required(path.child('restartPolicy'), MISSING)]),
    ...(rules.length > MAX_RULES ? [tooMany(where, rules.length, MAX_RULES)] : []),
    ...each(rules, where, rule),
  ];
}

/** Init containers: rules without a policy are refused before they are looked at. */
export function validateInitContainerRestartPolicy(container: JsonObject, path: FieldPath): FieldError[] {
  if (has(container, 'restartPolicy')) return validateContainerRestartPolicy(container, path);
  const rules = arrayAt(container, 'restartPolicyRules');
  return rules.length === 0 ? [] : [required(path.child('restartPolicy'), MISSING)];
}

const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];

function rule(item: JsonObject, path: FieldPath): FieldError[] {
  const action = text(item, 'action');
  const exitCodes = objectAt(item, 'exitCodes');
  return [
    ...(ACTIONS.includes(action) ? [] : [notSupported(path.child('action'), action, ACTIONS)]),
    ...(exitCodes === undefined
      ? [required(path.child('exitCodes'), 'must be specified')]
      : codes(exitCodes, path.child('exitCodes'))),
  ];
}

function codes(exitCodes: JsonObject, path: FieldPath): FieldError[] {
  const operator = text(exitCodes, 'operator');
  const values = arrayAt(exitCodes, 'values').length;
  return [
    ...(OPERATORS.includes(operator) ? [] : [notSupported(path.child('operator'), operator, OPERATORS)]),
    ...(values > MAX_EXIT_CODES ? [tooMany(path.child('values'), values, MAX_EXIT_CODES)] : []),
  ];
}

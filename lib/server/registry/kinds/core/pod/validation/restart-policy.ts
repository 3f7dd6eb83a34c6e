import type { ContainerRestartRule, ContainerRestartRuleOnExitCodes } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, notSupported, required, tooMany } from '#lib/machinery/validation/field.ts';
import { each, optionalOneOf } from '../../../shared/validate.ts';
import type { AnyContainer } from './visit.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MISSING = 'must specify restartPolicy when restart rules are used';

/** Upstream's validateContainerRestartPolicy: a container's own restart policy and rules. */
export function validateContainerRestartPolicy(container: AnyContainer, path: FieldPath): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const where = path.child('restartPolicyRules');
  if (restartPolicy === undefined && rules.length === 0) return [];
  return [
    ...(restartPolicy === undefined
      ? [required(path.child('restartPolicy'), MISSING)]
      : optionalOneOf(container, 'restartPolicy', path, POLICIES)),
    ...(rules.length > MAX_RULES ? [tooMany(where, rules.length, MAX_RULES)] : []),
    ...each(rules, where, validateRule),
  ];
}

/** Like `validateContainerRestartPolicy`, but for an init container: rules without a policy are rejected without further validation. */
export function validateInitContainerRestartPolicy(container: AnyContainer, path: FieldPath): FieldError[] {
  if (container.restartPolicy !== undefined) return validateContainerRestartPolicy(container, path);
  const { restartPolicyRules = [] } = container;
  return restartPolicyRules.length === 0 ? [] : [required(path.child('restartPolicy'), MISSING)];
}

const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];

function validateRule({ action = '', exitCodes }: ContainerRestartRule, path: FieldPath): FieldError[] {
  return [
    ...(ACTIONS.includes(action) ? [] : [notSupported(path.child('action'), action, ACTIONS)]),
    ...(exitCodes === undefined
      ? [required(path.child('exitCodes'), 'must be specified')]
      : validateExitCodes(exitCodes, path.child('exitCodes'))),
  ];
}

function validateExitCodes(
  { operator = '', values = [] }: ContainerRestartRuleOnExitCodes,
  path: FieldPath,
): FieldError[] {
  const { length } = values;
  return [
    ...(OPERATORS.includes(operator) ? [] : [notSupported(path.child('operator'), operator, OPERATORS)]),
    ...(length > MAX_EXIT_CODES ? [tooMany(path.child('values'), length, MAX_EXIT_CODES)] : []),
  ];
}

import { shownField } from '#lib/api/internal-form.ts';
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '#lib/api/types/batch.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { each, namesOf, qualifiedName } from '../shared/validate.ts';

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];

const valid = (values: readonly string[]): string => `valid values: [${values.map(quote).join(' ')}]`;

/** Upstream's validatePodFailurePolicy for the policy in a job's spec. */
export function validatePodFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const pod = spec.template.spec;
  const names = namesOf([...(pod.containers ?? []), ...(pod.initContainers ?? [])]);
  const where = path.child('rules');
  return [
    ...(rules.length > MAX_RULES ? [tooMany(where, rules.length, MAX_RULES)] : []),
    ...each(rules, where, (rule, one) => [
      ...action(rule.action, spec.backoffLimitPerIndex !== undefined, one.child('action')),
      ...conditions(rule, names, one),
    ]),
  ];
}

function action(value: string, perIndex: boolean, path: FieldPath): FieldError[] {
  if (value === '') return [required(path, valid(ACTIONS))];
  if (value === 'FailIndex' && !perIndex) {
    return [invalid(path, value, 'requires the backoffLimitPerIndex to be set')];
  }
  return ACTIONS.includes(value) ? [] : [notSupported(path, value, ACTIONS)];
}

const BOTH = 'specifying both OnExitCodes and OnPodConditions is not supported';
const NONE = 'specifying one of OnExitCodes and OnPodConditions is required';

function conditions(rule: PodFailurePolicyRule, names: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const codes = rule.onExitCodes;
  const patterns = rule.onPodConditions ?? [];
  const where = path.child('onPodConditions');
  return [
    ...(codes === undefined ? [] : exitCodes(codes, names, path.child('onExitCodes'))),
    ...(patterns.length > MAX_PATTERNS ? [tooMany(where, patterns.length, MAX_PATTERNS)] : []),
    ...each(patterns, where, pattern),
    ...(codes !== undefined && patterns.length > 0 ? [invalid(path, undefined, BOTH)] : []),
    ...(codes === undefined && patterns.length === 0 ? [invalid(path, undefined, NONE)] : []),
  ];
}

function pattern(item: PodFailurePolicyOnPodConditionsPattern, path: FieldPath): FieldError[] {
  return [...qualifiedName(item.type, path.child('type')), ...oneOf(item.status, path.child('status'), STATUSES)];
}

function oneOf(value: string, path: FieldPath, values: readonly string[]): FieldError[] {
  if (value === '') return [required(path, valid(values))];
  return values.includes(value) ? [] : [notSupported(path, value, values)];
}

const NO_CONTAINER = 'must be one of the container or initContainer names in the pod template';

function exitCodes(
  codes: PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const operator = codes.operator;
  const container = codes.containerName ?? '';
  const unknown = codes.containerName !== undefined && !names.has(container);
  return [
    ...oneOf(operator, path.child('operator'), OPERATORS),
    ...(unknown ? [invalid(path.child('containerName'), container, NO_CONTAINER)] : []),
    ...exitCodeValues(codes, operator, path.child('values')),
  ];
}

const REQUIREMENT = 'batch.v1.PodFailurePolicyOnExitCodesRequirement';

function exitCodeValues(
  codes: PodFailurePolicyOnExitCodesRequirement,
  operator: string,
  path: FieldPath,
): FieldError[] {
  const values = codes.values ?? [];
  const seen = new Set<Json>();
  const errors: FieldError[] = [];
  if (values.length === 0)
    errors.push(invalid(path, shownField(REQUIREMENT, codes, 'values'), 'at least one value is required'));
  else if (values.length > MAX_EXIT_CODES) errors.push(tooMany(path, values.length, MAX_EXIT_CODES));
  for (const [i, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      errors.push(invalid(path.index(i), value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(path.index(i), value));
    seen.add(value);
  }
  const ordered = values.every((value, i) => i === 0 || Number(values[i - 1]) <= value);
  return ordered ? errors : [...errors, invalid(path, values, 'must be ordered')];
}

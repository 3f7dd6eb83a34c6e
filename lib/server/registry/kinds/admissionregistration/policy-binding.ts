import type {
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '#lib/api/types/admissionregistration.v1.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import type { KindStrategy } from '../../strategy.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { checked, objectName, oneOf } from '../shared/validate.ts';
import { defaultMatchResources, mutableOperations, validateMatchResources } from './match-resources.ts';
import { staticNameWarnings } from './static-name.ts';

type AnyBinding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

const SPEC = FieldPath.of('spec');
const MATCH = SPEC.child('matchResources');
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const EXCLUSIVE = 'name and selector are mutually exclusive';

/** Validates the fields that both kinds of bindings share. */
function commonErrors({ spec }: AnyBinding): FieldError[] {
  const policy = spec.policyName ?? '';
  const path = SPEC.child('policyName');
  return [
    ...(policy === '' ? [required(path)] : objectName(policy, path)),
    ...paramRef(spec.paramRef, SPEC.child('paramRef')),
    ...validateMatchResources(spec.matchResources, MATCH),
  ];
}

/** Validates a reference to parameters, by name or by selector. */
function paramRef(ref: ParamRef | undefined, path: FieldPath): FieldError[] {
  if (ref === undefined) return [];
  const name = ref.name ?? '';
  const selector = ref.selector;
  const both = name !== '' && selector !== undefined;
  return [
    ...(name === '' ? [] : checked(name, path.child('name'), (value) => pathSegmentName(value, false))),
    ...(both ? [forbidden(path.child('name'), EXCLUSIVE)] : []),
    ...validateLabelSelector(selector, path.child('selector')),
    ...(both ? [forbidden(path.child('selector'), EXCLUSIVE)] : []),
    ...(name === '' && selector === undefined ? [required(path, 'one of name or selector must be specified')] : []),
    ...oneOf(ref.parameterNotFoundAction ?? '', path.child('parameterNotFoundAction'), ['Deny', 'Allow']),
  ];
}

function actionErrors(actions: readonly string[]): FieldError[] {
  const path = SPEC.child('validationActions');
  const repeats =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  const again = new Set(repeatedAt(actions));
  return [
    ...actions.flatMap((action, i) => [
      ...(ACTIONS.includes(action) ? [] : [notSupported(path.index(i), action, ACTIONS)]),
      ...(again.has(i) ? [duplicate(path.index(i), action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalid(path, actions, repeats)] : []),
    ...(actions.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ];
}

const common: KindStrategy<AnyBinding> = {
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  default: (binding) => defaultMatchResources(binding.spec.matchResources),
  warnings: staticNameWarnings,
};

const validateValidating = (binding: ValidatingAdmissionPolicyBinding): FieldError[] => [
  ...commonErrors(binding),
  ...actionErrors(binding.spec.validationActions ?? []),
];

const validateMutating = (binding: MutatingAdmissionPolicyBinding): FieldError[] => [
  ...commonErrors(binding),
  ...mutableOperations(binding.spec.matchResources, MATCH),
];

/** Upstream's pkg/registry/admissionregistration/validatingadmissionpolicybinding. */
export const validatingAdmissionPolicyBindingStrategy: KindStrategy<ValidatingAdmissionPolicyBinding> = {
  ...common,
  validate: validateValidating,
  validateUpdate: validateValidating,
};

/** Upstream's pkg/registry/admissionregistration/mutatingadmissionpolicybinding. */
export const mutatingAdmissionPolicyBindingStrategy: KindStrategy<MutatingAdmissionPolicyBinding> = {
  ...common,
  validate: validateMutating,
  validateUpdate: validateMutating,
};

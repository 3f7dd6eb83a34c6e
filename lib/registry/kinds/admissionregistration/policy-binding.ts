import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import type { KindStrategy } from '../../strategy.ts';
import { checked, objectName, oneOf } from '../shared/validate.ts';
import { defaultMatchResources, mutableOperations, validateMatchResources } from './match-resources.ts';
import { staticNameWarnings } from './static-name.ts';
import { repeatedAt } from '../shared/repeats.ts';

const SPEC = FieldPath.of('spec');
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const EXCLUSIVE = 'name and selector are mutually exclusive';

function validate(binding: JsonObject, mutating: boolean): FieldError[] {
  const spec = objectAt(binding, 'spec');
  const policy = text(spec, 'policyName');
  const path = SPEC.child('policyName');
  const match = objectAt(spec, 'matchResources');
  return [
    ...(policy === '' ? [required(path)] : objectName(policy, path)),
    ...paramRef(objectAt(spec, 'paramRef'), SPEC.child('paramRef')),
    ...validateMatchResources(match, SPEC.child('matchResources')),
    ...(mutating
      ? mutableOperations(match, SPEC.child('matchResources'))
      : actionErrors(texts(spec, 'validationActions'))),
  ];
}

/** By name or by selector. */
function paramRef(ref: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (ref === undefined) return [];
  const name = text(ref, 'name');
  const selector = objectAt(ref, 'selector');
  const both = name !== '' && selector !== undefined;
  return [
    ...(name === '' ? [] : checked(name, path.child('name'), (value) => pathSegmentName(value, false))),
    ...(both ? [forbidden(path.child('name'), EXCLUSIVE)] : []),
    ...validateLabelSelector(selector, path.child('selector')),
    ...(both ? [forbidden(path.child('selector'), EXCLUSIVE)] : []),
    ...(name === '' && selector === undefined ? [required(path, 'one of name or selector must be specified')] : []),
    ...oneOf(text(ref, 'parameterNotFoundAction'), path.child('parameterNotFoundAction'), ['Deny', 'Allow']),
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

const bindingStrategy = (mutating: boolean): KindStrategy => ({
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  default: (binding) => defaultMatchResources(objectAt(objectAt(binding, 'spec'), 'matchResources')),
  validate: (binding) => validate(binding, mutating),
  validateUpdate: (binding) => validate(binding, mutating),
  warnings: staticNameWarnings,
});

/** Upstream's pkg/registry/admissionregistration/validatingadmissionpolicybinding. */
export const validatingAdmissionPolicyBindingStrategy = bindingStrategy(false);
/** Upstream's pkg/registry/admissionregistration/mutatingadmissionpolicybinding. */
export const mutatingAdmissionPolicyBindingStrategy = bindingStrategy(true);

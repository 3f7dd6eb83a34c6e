import type {
  AuditAnnotation,
  MutatingAdmissionPolicy,
  Mutation,
  ParamKind,
  ValidatingAdmissionPolicy,
  Validation,
  Variable,
} from '#lib/api/types/admissionregistration.v1.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateConditions } from '../shared/conditions.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { keepField } from '../shared/status.ts';
import { keepMetadata } from '../shared/status-metadata.ts';
import { each, oneOf, optionalOneOf, qualifiedName } from '../shared/validate.ts';
import { PolicyExpressions } from './expressions.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { defaultMatchResources, mutableOperations, validateMatchResources } from './match-resources.ts';
import { staticNameWarnings } from './static-name.ts';

type AnyPolicy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const MATCH = SPEC.child('matchConstraints');

function setDefaults({ spec }: AnyPolicy): void {
  spec.failurePolicy ??= 'Fail';
  defaultMatchResources(spec.matchConstraints);
}

/** Validates the fields that both kinds of policies share. `skipConditions` is true if an update does not change the match conditions. */
function commonErrors(
  spec: AnyPolicy['spec'],
  expressions: PolicyExpressions,
  { mutating, skipConditions }: { readonly mutating: boolean; readonly skipConditions: boolean },
): FieldError[] {
  const policy = spec.failurePolicy ?? '';
  const match = spec.matchConstraints;
  const known = ['Fail', 'Ignore'].includes(policy) ? [] : [policy];
  return [
    ...(spec.failurePolicy !== undefined ? [] : [required(SPEC.child('failurePolicy'))]),
    ...(spec.failurePolicy !== undefined
      ? known.map((one) => notSupported(SPEC.child('failurePolicy'), one, ['Fail', 'Ignore']))
      : []),
    ...paramKind(spec.paramKind, SPEC.child('paramKind')),
    ...(match === undefined ? [required(MATCH)] : validateMatchResources(match, MATCH)),
    ...(match !== undefined && (match.resourceRules ?? []).length === 0
      ? [required(MATCH.child('resourceRules'))]
      : []),
    ...(mutating ? mutableOperations(match, MATCH) : []),
    ...(skipConditions
      ? []
      : validateMatchConditions(
          spec.matchConditions ?? [],
          SPEC.child('matchConditions'),
          spec.paramKind !== undefined,
        )),
    ...each(spec.variables ?? [], SPEC.child('variables'), (one, at) => variableErrors(one, at, expressions)),
  ];
}

function paramKind(kind: ParamKind | undefined, path: FieldPath): FieldError[] {
  if (kind === undefined) return [];
  const name = kind.kind ?? '';
  const messages = isDNS1035Label(name.toLowerCase());
  const mixed = 'may have mixed case, but should otherwise match: ';
  return [
    ...apiVersionErrors(kind.apiVersion ?? '', path.child('apiVersion')),
    ...(name === '' ? [required(path.child('kind'))] : []),
    ...(name !== '' && messages.length > 0 ? [invalid(path.child('kind'), name, mixed + messages.join(','))] : []),
  ];
}

function apiVersionErrors(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === '') return [required(path)];
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group, version] = parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : ['', apiVersion];
  const joined = (value: string, messages: readonly string[]): FieldError[] =>
    messages.length > 0 ? [invalid(path, value, messages.join(','))] : [];
  return [
    ...(group === '' ? [] : joined(group, isDNS1123Subdomain(group))),
    ...(version === ''
      ? [invalid(path, apiVersion, 'version must be specified')]
      : joined(version, isDNS1035Label(version))),
  ];
}

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function variableErrors(variable: Variable, path: FieldPath, expressions: PolicyExpressions): FieldError[] {
  const name = variable.name;
  const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
  const unnamed = name.trim() === '';
  return [
    ...(unnamed ? [required(path.child('name'), 'name is not specified')] : []),
    ...(unnamed || identifier ? [] : [invalid(path.child('name'), name, 'must be a valid CEL identifier')]),
    ...expressionErrors(variable.expression, 'expression', path, (given, where) =>
      expressions.variable(name, given, where),
    ),
  ];
}

type Compiling = (given: string, path: FieldPath) => FieldError[];

function expressionErrors(given: string, field: string, path: FieldPath, compiling: Compiling): FieldError[] {
  const where = path.child(field);
  return given.trim() === '' ? [required(where, `${field} is not specified`)] : compiling(given, where);
}

function validateValidating(policy: ValidatingAdmissionPolicy, old?: ValidatingAdmissionPolicy): FieldError[] {
  const { spec } = policy;
  const validations = spec.validations ?? [];
  const annotations = spec.auditAnnotations ?? [];
  const none = 'validations or auditAnnotations must contain at least one item';
  const expressions = new PolicyExpressions(spec, { mutates: false });
  const errors = commonErrors(spec, expressions, { mutating: false, skipConditions: sameConditions(spec, old) });
  if (validations.length + annotations.length === 0) {
    return [...errors, required(SPEC.child('validations'), none), required(SPEC.child('auditAnnotations'), none)];
  }
  return [
    ...errors,
    ...each(validations, SPEC.child('validations'), (one, path) => validationErrors(one, path, expressions)),
    ...annotationErrors(annotations, policy.metadata.name ?? '', expressions),
  ];
}

const sameConditions = (spec: AnyPolicy['spec'], old: AnyPolicy | undefined): boolean =>
  old !== undefined &&
  (['paramKind', 'matchConditions'] as const).every((field) => semanticEqual(spec[field], old.spec[field]));

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validationErrors(validation: Validation, path: FieldPath, expressions: PolicyExpressions): FieldError[] {
  const [message, messageExpression] = [validation.message ?? '', validation.messageExpression ?? ''];
  const blank = (value: string): boolean => value !== '' && value.trim() === '';
  const given = 'must be non-empty if specified';
  return [
    ...expressionErrors(validation.expression, 'expression', path, (one, where) => expressions.validation(one, where)),
    ...(blank(messageExpression) ? [invalid(path.child('messageExpression'), messageExpression, given)] : []),
    ...(messageExpression.trim() === '' ? [] : expressions.message(messageExpression, path.child('messageExpression'))),
    ...(blank(message) ? [invalid(path.child('message'), message, given)] : []),
    ...(/[\n\r]/.test(message.trim()) ? [invalid(path.child('message'), message, 'must not contain line breaks')] : []),
    ...optionalOneOf(validation, 'reason', path, REASONS),
  ];
}

const MAX_ANNOTATIONS = 20;
const MAX_EXPRESSION = 5120;

function annotationErrors(
  annotations: readonly AuditAnnotation[],
  name: string,
  expressions: PolicyExpressions,
): FieldError[] {
  const path = SPEC.child('auditAnnotations');
  const keys = annotations.map((annotation) => annotation.key);
  const again = new Set(repeatedAt(keys));
  const most = `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`;
  return [
    ...(annotations.length > MAX_ANNOTATIONS ? [invalid(path, annotations, most)] : []),
    ...annotations.flatMap((annotation, i) => {
      const where = path.index(i);
      const key = annotation.key;
      const long = byteLength(annotation.valueExpression.trim()) > MAX_EXPRESSION;
      return [
        ...(name === ''
          ? [invalid(where.child('key'), key, 'requires metadata.name be non-empty')]
          : qualifiedName(`${name}/${key}`, where.child('key'))),
        ...expressionErrors(annotation.valueExpression, 'valueExpression', where, (one, at) =>
          long ? [required(at, `must not exceed ${MAX_EXPRESSION} bytes in length`)] : expressions.annotation(one, at),
        ),
        ...(again.has(i) ? [duplicate(where.child('key'), key)] : []),
      ];
    }),
  ];
}

function validateMutating(policy: MutatingAdmissionPolicy, old?: MutatingAdmissionPolicy): FieldError[] {
  const { spec } = policy;
  const mutations = spec.mutations ?? [];
  const expressions = new PolicyExpressions(spec, { mutates: true });
  return [
    ...commonErrors(spec, expressions, { mutating: true, skipConditions: sameConditions(spec, old) }),
    ...(mutations.length === 0 ? [required(SPEC.child('mutations'), 'mutations must contain at least one item')] : []),
    ...each(mutations, SPEC.child('mutations'), (one, path) => mutationErrors(one, path, expressions)),
    ...oneOf(spec.reinvocationPolicy ?? '', SPEC.child('reinvocationPolicy'), ['IfNeeded', 'Never']),
  ];
}

const PATCHES: Readonly<Record<string, 'applyConfiguration' | 'jsonPatch'>> = {
  ApplyConfiguration: 'applyConfiguration',
  JSONPatch: 'jsonPatch',
};

function mutationErrors(mutation: Mutation, path: FieldPath, expressions: PolicyExpressions): FieldError[] {
  const type = mutation.patchType;
  const field = Object.hasOwn(PATCHES, type) ? PATCHES[type] : undefined;
  if (type === '') return [required(path.child('patchType'))];
  if (field === undefined) return [notSupported(path.child('patchType'), type, Object.keys(PATCHES))];
  const other = field === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = mutation[field];
  const [given, where] = [patch?.expression ?? '', path.child(field, 'expression')];
  const wrong = given.trim() === '' ? [required(where)] : expressions.mutation(type, given, where);
  return [
    ...(patch === undefined ? [required(path.child(field), `must be specified when patchType is ${type}`)] : wrong),
    ...(mutation[other] !== undefined
      ? [invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${type}`)]
      : []),
  ];
}

function validateStatus({ status }: ValidatingAdmissionPolicy): FieldError[] {
  const path = STATUS.child('typeChecking', 'expressionWarnings');
  return [
    ...each(status.typeChecking?.expressionWarnings ?? [], path, (warning, where) => [
      ...(warning.warning === '' ? [required(where.child('warning'))] : []),
      ...(warning.fieldRef.trim() === '' ? [required(where.child('fieldRef'))] : []),
    ]),
    ...validateConditions(status.conditions ?? [], STATUS.child('conditions')),
  ];
}

const common: KindStrategy<AnyPolicy> = {
  allowUnconditionalUpdate: false,
  default: setDefaults,
  warnings: staticNameWarnings,
};

/** Upstream's pkg/registry/admissionregistration/validatingadmissionpolicy. */
export const validatingAdmissionPolicyStrategy: KindStrategy<ValidatingAdmissionPolicy> = {
  ...common,
  prepareForCreate(policy) {
    policy.status = {};
  },
  prepareForUpdate: (policy, old) => keepField(policy, old, 'status'),
  validate: (policy) => validateValidating(policy),
  validateUpdate: validateValidating,
  subresources: {
    status: {
      prepareForUpdate(policy, old) {
        keepField(policy, old, 'spec');
        keepMetadata(policy, old);
      },
      validateUpdate: validateStatus,
    },
  },
};

/** Upstream's pkg/registry/admissionregistration/mutatingadmissionpolicy. */
export const mutatingAdmissionPolicyStrategy: KindStrategy<MutatingAdmissionPolicy> = {
  ...common,
  hasGeneration: true,
  validate: (policy) => validateMutating(policy),
  validateUpdate: validateMutating,
};

import { typedPart } from '#lib/api/typed.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, has, integer, items, text, type Integer } from '#lib/machinery/unstructured.ts';
import {
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { isDomainPrefixedPath } from '#lib/machinery/validation/formats.ts';
import type { PodValidationOptions } from '../core/pod/validation/options.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { nonnegative } from '../shared/validate.ts';
import { validatePodFailurePolicy } from './pod-failure-policy.ts';
import { validateSuccessPolicy } from './success-policy.ts';

const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const LIMIT_FOR_MANY = 10_000;
const MAX_MANAGED_BY = 63;
const NUMBERS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'];
const MODES = ['NonIndexed', 'Indexed'];

export const isIndexed = (spec: JsonObject | undefined): boolean => text(spec, 'completionMode') === 'Indexed';

/** The specification of a job and of a cron job's template: all but the selector. */
export function validateJobSpec(spec: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const mode = text(spec, 'completionMode');
  const unknown = has(spec, 'completionMode') && !MODES.includes(mode);
  return [
    ...nonnegative(spec, path, ...NUMBERS, 'backoffLimitPerIndex', 'maxFailedIndexes'),
    ...(has(spec, 'maxFailedIndexes') && !has(spec, 'backoffLimitPerIndex')
      ? [required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
      : []),
    ...(has(spec, 'managedBy') ? managedBy(text(spec, 'managedBy'), path.child('managedBy')) : []),
    ...(unknown ? [notSupported(path.child('completionMode'), mode, MODES)] : []),
    ...(isIndexed(spec) ? indexed(spec, path) : []),
    ...(!has(spec, 'completionMode') || mode === 'NonIndexed' ? notIndexed(spec, path) : []),
    ...policies(spec, path),
    ...validatePodTemplateSpec(typedPart(objectAt(spec, 'template') ?? {}), path.child('template'), options),
    ...restartPolicy(spec, path.child('template', 'spec', 'restartPolicy')),
  ];
}

function managedBy(value: string, path: FieldPath): FieldError[] {
  const errors = isDomainPrefixedPath(path, value);
  return Buffer.byteLength(value) > MAX_MANAGED_BY ? [...errors, tooLong(path, MAX_MANAGED_BY)] : errors;
}

function indexed(spec: JsonObject, path: FieldPath): FieldError[] {
  const completions = integer(spec, 'completions');
  const parallelism = integer(spec, 'parallelism') ?? 0;
  const failed = integer(spec, 'maxFailedIndexes');
  const errors: FieldError[] = [];
  const wrong = (field: string, value: Integer, message: string) =>
    errors.push(invalid(path.child(field), value, message));
  if (completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
  if (parallelism > MAX_PARALLELISM) {
    wrong(
      'parallelism',
      parallelism,
      `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`,
    );
  }
  if (completions !== undefined && failed !== undefined && failed > completions) {
    wrong('maxFailedIndexes', failed, 'must be less than or equal to completions');
  }
  if (failed !== undefined && failed > MAX_FAILED_INDEXES) {
    wrong('maxFailedIndexes', failed, `must be less than or equal to ${MAX_FAILED_INDEXES}`);
  }
  const many = (completions ?? 0) > MANY_COMPLETIONS && has(spec, 'backoffLimitPerIndex');
  return many ? [...errors, ...manyIndexes(parallelism, failed, path)] : errors;
}

function manyIndexes(parallelism: Integer, failed: Integer | undefined, path: FieldPath): FieldError[] {
  const limit = `must be less than or equal to ${LIMIT_FOR_MANY} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  const where = path.child('maxFailedIndexes');
  const missing = `must be specified when completions is above ${MANY_COMPLETIONS}`;
  return [
    ...(failed === undefined ? [required(where, missing)] : []),
    ...(parallelism > LIMIT_FOR_MANY ? [invalid(path.child('parallelism'), parallelism, limit)] : []),
    ...(failed !== undefined && failed > LIMIT_FOR_MANY ? [invalid(where, failed, limit)] : []),
  ];
}

function notIndexed(spec: JsonObject, path: FieldPath): FieldError[] {
  return ['backoffLimitPerIndex', 'maxFailedIndexes']
    .filter((field) => has(spec, field))
    .map((field) => invalid(path.child(field), count(spec, field), 'requires indexed completion mode'));
}

function policies(spec: JsonObject, path: FieldPath): FieldError[] {
  const success = objectAt(spec, 'successPolicy');
  const successPath = path.child('successPolicy');
  const shown = new Map([['Rules', items(success, 'rules').map(shownRule)]]);
  return [
    ...(has(spec, 'podFailurePolicy') ? validatePodFailurePolicy(spec, path.child('podFailurePolicy')) : []),
    ...(success === undefined
      ? []
      : isIndexed(spec)
        ? validateSuccessPolicy(success, count(spec, 'completions'), successPath)
        : [invalid(successPath, shown, 'requires indexed completion mode')]),
    ...replacementPolicy(spec, path.child('podReplacementPolicy')),
  ];
}

const shownRule = (rule: JsonObject): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['SucceededIndexes', ownField(rule, 'succeededIndexes') ?? null],
    ['SucceededCount', ownField(rule, 'succeededCount') ?? null],
  ]);

function replacementPolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, 'podReplacementPolicy')) return [];
  const policy = text(spec, 'podReplacementPolicy');
  const supported = has(spec, 'podFailurePolicy') ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

const RESTARTS = ['OnFailure', 'Never'];

function restartPolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  const policy = text(at(spec, 'template', 'spec'), 'restartPolicy');
  if (policy === 'Always' || policy === '') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (!RESTARTS.includes(policy)) return [notSupported(path, policy, RESTARTS)];
  if (policy === 'Never' || !has(spec, 'podFailurePolicy')) return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

import type { JobSpec, SuccessPolicyRule } from '#lib/api/types/batch.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type Integer, text } from '#lib/machinery/unstructured.ts';
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
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
const NUMBERS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
] as const;
const MODES = ['NonIndexed', 'Indexed'];

/** Whether each completion of the job has an index. */
export const isIndexed = (spec: JsonObject | undefined): boolean => text(spec, 'completionMode') === 'Indexed';

/** Validates the spec of a job or of a cron job's template, without the selector. */
export function validateJobSpec(spec: JobSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const mode = spec.completionMode ?? '';
  const unknown = spec.completionMode !== undefined && !MODES.includes(mode);
  return [
    ...nonnegative(spec, path, ...NUMBERS, 'backoffLimitPerIndex', 'maxFailedIndexes'),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
      : []),
    ...(spec.managedBy !== undefined ? managedBy(spec.managedBy, path.child('managedBy')) : []),
    ...(unknown ? [notSupported(path.child('completionMode'), mode, MODES)] : []),
    ...(isIndexed(spec) ? indexed(spec, path) : []),
    ...(spec.completionMode === undefined || mode === 'NonIndexed' ? notIndexed(spec, path) : []),
    ...policies(spec, path),
    ...validatePodTemplateSpec(spec.template, path.child('template'), options),
    ...restartPolicy(spec, path.child('template', 'spec', 'restartPolicy')),
  ];
}

function managedBy(value: string, path: FieldPath): FieldError[] {
  const errors = isDomainPrefixedPath(path, value);
  return Buffer.byteLength(value) > MAX_MANAGED_BY ? [...errors, tooLong(path, MAX_MANAGED_BY)] : errors;
}

function indexed(spec: JobSpec, path: FieldPath): FieldError[] {
  const completions = spec.completions;
  const parallelism = spec.parallelism ?? 0;
  const failed = spec.maxFailedIndexes;
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
  const many = (completions ?? 0) > MANY_COMPLETIONS && spec.backoffLimitPerIndex !== undefined;
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

function notIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
    .filter((field) => spec[field] !== undefined)
    .map((field) => invalid(path.child(field), spec[field], 'requires indexed completion mode'));
}

function policies(spec: JobSpec, path: FieldPath): FieldError[] {
  const success = spec.successPolicy;
  const successPath = path.child('successPolicy');
  const shown = new Map([['Rules', (success?.rules ?? []).map(shownRule)]]);
  return [
    ...(spec.podFailurePolicy !== undefined ? validatePodFailurePolicy(spec, path.child('podFailurePolicy')) : []),
    ...(success === undefined
      ? []
      : isIndexed(spec)
        ? validateSuccessPolicy(success, spec.completions ?? 0, successPath)
        : [invalid(successPath, shown, 'requires indexed completion mode')]),
    ...replacementPolicy(spec, path.child('podReplacementPolicy')),
  ];
}

const shownRule = (rule: SuccessPolicyRule): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['SucceededIndexes', rule.succeededIndexes ?? null],
    ['SucceededCount', rule.succeededCount ?? null],
  ]);

function replacementPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const { podReplacementPolicy: policy } = spec;
  if (policy === undefined) return [];
  const supported = spec.podFailurePolicy !== undefined ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

const RESTARTS = ['OnFailure', 'Never'];

function restartPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const policy = spec.template.spec.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (!RESTARTS.includes(policy)) return [notSupported(path, policy, RESTARTS)];
  if (policy === 'Never' || spec.podFailurePolicy === undefined) return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

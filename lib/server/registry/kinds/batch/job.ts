import type { Job, JobSpec } from '#lib/api/types/batch.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { generationChanged, podTemplateWarnings } from '../core/pod/warnings.ts';
import { hasInvalidValue, parseLabelSelector, shownLabels, shownSelector } from '../shared/label-selector.ts';
import { labelNameWarnings, POD_NAMES } from '../shared/names.ts';
import { keepField, statusStrategy } from '../shared/status.ts';
import {
  CONTROLLER_UID,
  defaultJob,
  defaultLabels,
  generateSelector,
  JOB_NAME,
  LEGACY_CONTROLLER_UID,
  LEGACY_JOB_NAME,
} from './job-defaults.ts';
import { isIndexed, validateJobSpec } from './job-spec.ts';
import { validateJobStatusUpdate } from './job-status.ts';
import { validateJobSpecUpdate } from './job-update.ts';

const SPEC = FieldPath.of('spec');
const TEMPLATE_METADATA = SPEC.child('template', 'metadata');

function validateJob(job: Job, old?: Job): FieldError[] {
  return [...generatedSelector(job, old), ...validateSpec(job, old), ...indexedName(job)];
}

/** Validates the spec and its selector. Upstream does so twice on an update. */
function validateSpec(job: Job, old: Job | undefined): FieldError[] {
  const { spec } = job;
  const { selector } = spec;
  const path = SPEC.child('selector');
  const allowInvalidValues = hasInvalidValue(old?.spec.selector);
  const labels = shownLabels(spec.template);
  const parsed = parseLabelSelector(selector);
  const mismatch = parsed !== undefined && !matches(parsed, labels ?? undefined);
  const message = '`selector` does not match template `labels`';
  return [
    ...validateJobSpec(spec, SPEC, podValidationOptions(old?.spec.template, false)),
    ...(selector === undefined ? [required(path)] : validateLabelSelector(selector, path, { allowInvalidValues })),
    ...(mismatch ? [invalid(TEMPLATE_METADATA.child('labels'), labels, message)] : []),
  ];
}

/** Validates that a generated selector comes from the job's own labels. */
function generatedSelector(job: Job, old: Job | undefined): FieldError[] {
  const spec = job.spec;
  const selector = spec.selector;
  if (spec.manualSelector === true || selector === undefined) return [];
  const metadata = job.metadata;
  const expected = expectedLabels(metadata.uid ?? '', metadata.name ?? '', old);
  const parsed = parseLabelSelector(selector);
  const foreign = parsed !== undefined && !matches(parsed, expected);
  return [
    ...((metadata.uid ?? '') === '' ? [required(FieldPath.of('metadata', 'uid'))] : []),
    ...Object.entries(expected).flatMap(([key, value]) => hasLabel(spec.template.metadata, key, value)),
    ...(foreign ? [invalid(SPEC.child('selector'), shownSelector(selector), '`selector` not auto-generated')] : []),
  ];
}

/** Returns the labels that a job must have. Jobs stored before labels had a prefix may lack the prefixed ones. */
function expectedLabels(uid: string, name: string, old: Job | undefined): Record<string, string> {
  const oldLabels = old?.spec.template.metadata.labels;
  const prefixed =
    old === undefined ||
    (ownField(oldLabels, JOB_NAME) !== undefined && ownField(oldLabels, CONTROLLER_UID) !== undefined);
  return {
    [LEGACY_CONTROLLER_UID]: uid,
    [LEGACY_JOB_NAME]: name,
    ...(prefixed ? { [CONTROLLER_UID]: uid, [JOB_NAME]: name } : {}),
  };
}

function hasLabel(metadata: ObjectMeta, key: string, expected: string): FieldError[] {
  const { labels } = metadata;
  const value = ownField(labels, key);
  const path = TEMPLATE_METADATA.child('labels').key(key);
  if (value === undefined) return [required(path, `must be '${expected}'`)];
  return value === expected ? [] : [invalid(path, labels, `must be '${expected}'`)];
}

/** Validates the name of an indexed job, because the host names of its pods consist of the name and the index. */
function indexedName(job: Job): FieldError[] {
  const spec = job.spec;
  const completions = spec.completions ?? 0;
  if (!isIndexed(spec) || completions <= 0) return [];
  const name = job.metadata.name ?? '';
  const longest = `${name}-${completions - 1}`;
  if (isDNS1123Label(longest).length === 0) return [];
  const message = `will not able to create pod with invalid DNS label: ${longest}`;
  return [invalid(FieldPath.of('metadata', 'name'), name, message)];
}

const MANY = 100_000;
const MANY_AT_ONCE = 10_000;
const MANY_INDEXES =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** Upstream's WarningsForJobSpec. */
export function jobSpecWarnings(spec: JobSpec, path: FieldPath): string[] {
  const many = isIndexed(spec) && (spec.completions ?? 0) > MANY && (spec.parallelism ?? 0) > MANY_AT_ONCE;
  return [...(many ? [`${path}: ${MANY_INDEXES}`] : []), ...podTemplateWarnings(spec.template, path.child('template'))];
}

/** Upstream's pkg/registry/batch/job. */
export const jobStrategy: KindStrategy<Job> = {
  default: defaultJob,
  prepareForCreate(job) {
    generateSelector(job);
    defaultLabels(job);
    job.status = {};
    dropDisabledTemplateFields(job.spec.template, undefined);
  },
  prepareForUpdate(job, old) {
    keepField(job, old, 'status');
    dropDisabledTemplateFields(job.spec.template, old.spec.template);
  },
  validate: (job) => validateJob(job),
  validateUpdate: (job, old) => [
    ...validateJob(job, old),
    ...validateSpec(job, old),
    ...validateJobSpecUpdate(job, old, SPEC),
  ],
  warnings(job, old) {
    if (old !== undefined && !generationChanged(job, old)) return [];
    const name = old === undefined ? labelNameWarnings(job, POD_NAMES) : [];
    return [...name, ...jobSpecWarnings(job.spec, SPEC)];
  },
  // Older clients expect a job's pods to survive its deletion.
  defaultPropagation: 'orphan',
  orphansWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  selectableFields: (job) => ({ 'status.successful': String(job.status.succeeded ?? 0) }),
  subresources: { status: statusStrategy(validateJobStatusUpdate) },
};

import { typedPart } from '#lib/api/typed.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, flag, has, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { generationChanged, podTemplateWarnings } from '../core/pod/warnings.ts';
import { hasInvalidValue, parseLabelSelector, shownLabels, shownSelector } from '../shared/label-selector.ts';
import { POD_NAMES, labelNameWarnings } from '../shared/names.ts';
import { keepField, statusStrategy } from '../shared/status.ts';
import {
  CONTROLLER_UID,
  JOB_NAME,
  LEGACY_CONTROLLER_UID,
  LEGACY_JOB_NAME,
  defaultJob,
  defaultLabels,
  generateSelector,
} from './job-defaults.ts';
import { isIndexed, validateJobSpec } from './job-spec.ts';
import { validateJobStatusUpdate } from './job-status.ts';
import { validateJobSpecUpdate } from './job-update.ts';

const SPEC = FieldPath.of('spec');
const TEMPLATE_METADATA = SPEC.child('template', 'metadata');

function validateJob(job: JsonObject, old?: JsonObject): FieldError[] {
  return [...generatedSelector(job, old), ...validateSpec(job, old), ...indexedName(job)];
}

/** The specification and its selector, which upstream checks twice on an update. */
function validateSpec(job: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = objectAt(job, 'spec') ?? {};
  const selector = objectAt(spec, 'selector');
  const path = SPEC.child('selector');
  const allowInvalidValues = hasInvalidValue(at(old, 'spec', 'selector'));
  const labels = shownLabels(objectAt(spec, 'template'));
  const parsed = parseLabelSelector(selector);
  const mismatch = parsed !== undefined && !matches(parsed, labels ?? undefined);
  const message = '`selector` does not match template `labels`';
  return [
    ...validateJobSpec(spec, SPEC, podValidationOptions(typedPart(at(old, 'spec', 'template')), false)),
    ...(selector === undefined ? [required(path)] : validateLabelSelector(selector, path, { allowInvalidValues })),
    ...(mismatch ? [invalid(TEMPLATE_METADATA.child('labels'), labels, message)] : []),
  ];
}

/** The labels that the job's selector was generated from are the job's own. */
function generatedSelector(job: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = objectAt(job, 'spec');
  const selector = objectAt(spec, 'selector');
  if (flag(spec, 'manualSelector') === true || selector === undefined) return [];
  const metadata = objectAt(job, 'metadata');
  const expected = expectedLabels(text(metadata, 'uid'), text(metadata, 'name'), old);
  const parsed = parseLabelSelector(selector);
  const foreign = parsed !== undefined && !matches(parsed, expected);
  return [
    ...(text(metadata, 'uid') === '' ? [required(FieldPath.of('metadata', 'uid'))] : []),
    ...Object.entries(expected).flatMap(([key, value]) => hasLabel(at(spec, 'template', 'metadata'), key, value)),
    ...(foreign ? [invalid(SPEC.child('selector'), shownSelector(selector), '`selector` not auto-generated')] : []),
  ];
}

/** Jobs stored before labels had a prefix need not have those. */
function expectedLabels(uid: string, name: string, old: JsonObject | undefined): Record<string, string> {
  const oldLabels = at(old, 'spec', 'template', 'metadata', 'labels');
  const prefixed = old === undefined || (has(oldLabels, JOB_NAME) && has(oldLabels, CONTROLLER_UID));
  return {
    [LEGACY_CONTROLLER_UID]: uid,
    [LEGACY_JOB_NAME]: name,
    ...(prefixed ? { [CONTROLLER_UID]: uid, [JOB_NAME]: name } : {}),
  };
}

function hasLabel(metadata: JsonObject | undefined, key: string, expected: string): FieldError[] {
  const labels = objectAt(metadata, 'labels');
  const value = stringAt(labels, key);
  const path = TEMPLATE_METADATA.child('labels').key(key);
  if (value === undefined) return [required(path, `must be '${expected}'`)];
  return value === expected ? [] : [invalid(path, labels, `must be '${expected}'`)];
}

/** An indexed job's pods have the index in their host names. */
function indexedName(job: JsonObject): FieldError[] {
  const spec = objectAt(job, 'spec');
  const completions = count(spec, 'completions');
  if (!isIndexed(spec) || completions <= 0) return [];
  const name = text(objectAt(job, 'metadata'), 'name');
  const longest = `${name}-${Number(completions) - 1}`;
  if (isDNS1123Label(longest).length === 0) return [];
  const message = `will not able to create pod with invalid DNS label: ${longest}`;
  return [invalid(FieldPath.of('metadata', 'name'), name, message)];
}

const MANY = 100_000;
const MANY_AT_ONCE = 10_000;
const MANY_INDEXES =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** Upstream's WarningsForJobSpec. */
export function jobSpecWarnings(spec: JsonObject | undefined, path: FieldPath): string[] {
  const many = isIndexed(spec) && count(spec, 'completions') > MANY && count(spec, 'parallelism') > MANY_AT_ONCE;
  return [
    ...(many ? [`${path}: ${MANY_INDEXES}`] : []),
    ...podTemplateWarnings(typedPart(objectAt(spec, 'template')), path.child('template')),
  ];
}

/** Upstream's pkg/registry/batch/job. */
export const jobStrategy: KindStrategy = {
  default: defaultJob,
  prepareForCreate(job) {
    generateSelector(job);
    defaultLabels(job);
    job['status'] = {};
    dropDisabledTemplateFields(typedPart(at(job, 'spec', 'template')), undefined);
  },
  prepareForUpdate(job, old) {
    keepField(job, old, 'status');
    dropDisabledTemplateFields(typedPart(at(job, 'spec', 'template')), typedPart(at(old, 'spec', 'template')));
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
    return [...name, ...jobSpecWarnings(objectAt(job, 'spec'), SPEC)];
  },
  // Older clients expect a job's pods to outlive it.
  defaultPropagation: 'orphan',
  orphansWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  selectableFields: (job) => ({ 'status.successful': String(count(objectAt(job, 'status'), 'succeeded')) }),
  subresources: { status: statusStrategy(validateJobStatusUpdate) },
};

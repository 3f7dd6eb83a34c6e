import { typedPart } from '#lib/api/typed.ts';
import { objectAt, setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, flag, has, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';

const UNLIMITED = 2 ** 31 - 1;

/** What a job and the template of a cron job have in common: the pods', and their failure policy's. */
function defaultJobSpec(spec: JsonObject): void {
  defaultPodTemplate(typedPart(ensure(spec, 'template')));
  for (const rule of items(objectAt(spec, 'podFailurePolicy'), 'rules')) {
    for (const pattern of items(rule, 'onPodConditions')) unlessText(pattern, 'status', 'True');
  }
}

/** Upstream's defaults of a job. */
export function defaultJob(job: JsonObject): void {
  const spec = ensure(job, 'spec');
  defaultJobSpec(spec);
  if (!has(spec, 'completions') && !has(spec, 'parallelism')) spec['completions'] = 1;
  spec['parallelism'] ??= 1;
  spec['backoffLimit'] ??= has(spec, 'backoffLimitPerIndex') ? UNLIMITED : 6;
  spec['completionMode'] ??= 'NonIndexed';
  spec['suspend'] ??= false;
  spec['podReplacementPolicy'] ??= has(spec, 'podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed';
  spec['manualSelector'] ??= false;
  defaultLabels(job);
}

/** A job's labels are its pods' where it has none of its own: the same map, so that those generated later come to both. */
export function defaultLabels(job: JsonObject): void {
  const labels = at(job, 'spec', 'template', 'metadata', 'labels');
  const metadata = ensure(job, 'metadata');
  if (labels === undefined || Object.keys(objectAt(metadata, 'labels') ?? {}).length > 0) return;
  metadata['labels'] = labels;
}

export function defaultCronJob(cronJob: JsonObject): void {
  const spec = ensure(cronJob, 'spec');
  defaultJobSpec(ensure(spec, 'jobTemplate', 'spec'));
  ensure(spec, 'jobTemplate', 'metadata');
  unlessText(spec, 'concurrencyPolicy', 'Allow');
  spec['suspend'] ??= false;
  spec['successfulJobsHistoryLimit'] ??= 3;
  spec['failedJobsHistoryLimit'] ??= 1;
}

export const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
export const JOB_NAME = 'batch.kubernetes.io/job-name';
export const LEGACY_CONTROLLER_UID = 'controller-uid';
export const LEGACY_JOB_NAME = 'job-name';

/** Labels by which a job knows its pods, unless the user manages its selector. Validation refuses wrong ones. */
export function generateSelector(job: JsonObject): void {
  const spec = ensure(job, 'spec');
  if (flag(spec, 'manualSelector') === true) return;
  const metadata = ensure(job, 'metadata');
  const labels = ensure(spec, 'template', 'metadata', 'labels');
  const uid = text(metadata, 'uid');
  const generated = {
    [LEGACY_JOB_NAME]: text(metadata, 'name'),
    [JOB_NAME]: text(metadata, 'name'),
    [LEGACY_CONTROLLER_UID]: uid,
    [CONTROLLER_UID]: uid,
  };
  for (const [key, value] of Object.entries(generated)) if (!has(labels, key)) setField(labels, key, value);
  const matched = ensure(spec, 'selector', 'matchLabels');
  if (!has(matched, CONTROLLER_UID)) matched[CONTROLLER_UID] = uid;
}

import type { CronJob, Job, JobSpec } from '#lib/api/types/batch.v1.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { ownField, setField } from '#lib/machinery/json-value.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';

/** Defaults shared by jobs and cron job templates: for the pods and the pod failure policy. */
function defaultJobSpec(spec: JobSpec): void {
  defaultPodTemplate(spec.template);
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}

/** Upstream's defaults of a job. */
export function defaultJob(job: Job): void {
  const { spec } = job;
  defaultJobSpec(spec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex !== undefined ? MAX_INT32 : 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy !== undefined ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  defaultLabels(job);
}

/** Labels of a job default to its pods' labels. Both share one map, so that labels generated later apply to both. */
export function defaultLabels(job: Job): void {
  const { metadata, spec } = job;
  const { labels } = spec.template.metadata;
  if (labels === undefined || Object.keys(metadata.labels ?? {}).length > 0) return;
  metadata.labels = labels;
}

/** Upstream's defaults of a cron job. */
export function defaultCronJob({ spec }: CronJob): void {
  defaultJobSpec(spec.jobTemplate.spec);
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}

/** The pod label that contains the job's uid. */
export const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
/** The pod label that contains the job's name. */
export const JOB_NAME = 'batch.kubernetes.io/job-name';
/** The pod label for the job's uid in older servers. */
export const LEGACY_CONTROLLER_UID = 'controller-uid';
/** The pod label for the job's name in older servers. */
export const LEGACY_JOB_NAME = 'job-name';

/** Generates the selector and the labels that match it, unless the user manages the selector. Validation rejects conflicting ones. */
export function generateSelector(job: Job): void {
  const { metadata, spec } = job;
  if (spec.manualSelector === true) return;
  const labels = (spec.template.metadata.labels ??= {});
  const uid = metadata.uid ?? '';
  const generated = {
    [LEGACY_JOB_NAME]: metadata.name ?? '',
    [JOB_NAME]: metadata.name ?? '',
    [LEGACY_CONTROLLER_UID]: uid,
    [CONTROLLER_UID]: uid,
  };
  for (const [key, value] of Object.entries(generated))
    if (ownField(labels, key) === undefined) setField(labels, key, value);
  const matched = ((spec.selector ??= {}).matchLabels ??= {});
  matched[CONTROLLER_UID] ??= uid;
}

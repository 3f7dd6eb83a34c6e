import type { CronJob, CronJobSpec, JobSpec } from '#lib/api/types/batch.v1.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { generationChanged } from '../core/pod/warnings.ts';
import { shownSelector } from '../shared/label-selector.ts';
import { labelNameWarnings, POD_NAMES } from '../shared/names.ts';
import { keepField, statusStrategy } from '../shared/status.ts';
import { nonnegative, oneOf } from '../shared/validate.ts';
import { cronError } from './cron.ts';
import { jobSpecWarnings } from './job.ts';
import { defaultCronJob } from './job-defaults.ts';
import { validateJobSpec } from './job-spec.ts';
import { validateTimeZone } from './time-zone.ts';

const SPEC = FieldPath.of('spec');
const JOB = SPEC.child('jobTemplate', 'spec');
/** The maximum length of a cron job's name. Its jobs append eleven characters for the time, and their names have at most 63. */
const MAX_NAME = 52;
const POLICIES = ['Allow', 'Forbid', 'Replace'];

const template = (cronJob: CronJob | undefined): PodTemplateSpec | undefined => cronJob?.spec.jobTemplate.spec.template;

function validateCronJob(cronJob: CronJob, old?: CronJob): FieldError[] {
  const { spec } = cronJob;
  const oldSpec = old?.spec;
  const zoneChanged = spec.timeZone !== oldSpec?.timeZone;
  return [
    ...validateSchedule(spec, oldSpec, SPEC.child('schedule')),
    ...nonnegative(spec, SPEC, 'startingDeadlineSeconds'),
    ...(spec.timeZone !== undefined && zoneChanged ? validateTimeZone(spec.timeZone, SPEC.child('timeZone')) : []),
    ...oneOf(spec.concurrencyPolicy ?? '', SPEC.child('concurrencyPolicy'), POLICIES),
    ...validateJobTemplate(spec.jobTemplate.spec, template(old)),
    ...nonnegative(spec, SPEC, 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'),
  ];
}

const BOTH_ZONES = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
const NO_ZONE = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';

/** Accepts a time zone in the schedule if the stored schedule has one too. */
function validateSchedule(spec: CronJobSpec, old: CronJobSpec | undefined, path: FieldPath): FieldError[] {
  const schedule = spec.schedule;
  if (schedule === '') return [required(path)];
  const wrong = cronError(schedule);
  const errors = wrong === undefined ? [] : [invalid(path, schedule, wrong)];
  if (!schedule.includes('TZ')) return errors;
  if (!(old?.schedule ?? '').includes('TZ')) return [...errors, invalid(path, schedule, NO_ZONE)];
  return spec.timeZone !== undefined ? [...errors, invalid(path, schedule, BOTH_ZONES)] : errors;
}

function validateJobTemplate(job: JobSpec, old: PodTemplateSpec | undefined): FieldError[] {
  const selector = job.selector;
  const manual = job.manualSelector === true;
  return [
    ...validateJobSpec(job, JOB, podValidationOptions(old, false)),
    ...(selector === undefined
      ? []
      : [invalid(JOB.child('selector'), shownSelector(selector), '`selector` will be auto-generated')]),
    ...(manual ? [notSupported(JOB.child('manualSelector'), true, ['nil', 'false'])] : []),
  ];
}

function nameFits(cronJob: CronJob): FieldError[] {
  const name = cronJob.metadata.name ?? '';
  if (name.length <= MAX_NAME) return [];
  return [invalid(FieldPath.of('metadata', 'name'), name, `must be no more than ${MAX_NAME} characters`)];
}

const ZONE_WARNING =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

function warnings(cronJob: CronJob, old?: CronJob): string[] {
  const spec = cronJob.spec;
  const job = jobSpecWarnings(spec.jobTemplate.spec, JOB);
  if (old === undefined) return [...labelNameWarnings(cronJob, POD_NAMES), ...job];
  const zone = spec.schedule.includes('TZ') ? [ZONE_WARNING] : [];
  return [...(generationChanged(cronJob, old) ? job : []), ...zone];
}

/** Upstream's pkg/registry/batch/cronjob. */
export const cronJobStrategy: KindStrategy<CronJob> = {
  default: defaultCronJob,
  prepareForCreate(cronJob) {
    cronJob.status = {};
    dropDisabledTemplateFields(template(cronJob), undefined);
  },
  prepareForUpdate(cronJob, old) {
    keepField(cronJob, old, 'status');
    dropDisabledTemplateFields(template(cronJob), template(old));
  },
  validate: (cronJob) => [...validateCronJob(cronJob), ...nameFits(cronJob)],
  validateUpdate: validateCronJob,
  warnings,
  subresources: { status: statusStrategy(undefined) },
};

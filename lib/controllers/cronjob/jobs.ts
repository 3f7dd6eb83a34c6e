import type { CronJob, CronJobStatus, Job, JobSpec } from '#lib/api/types/batch.v1.ts';
import type { ObjectReference } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta, OwnerReference } from '#lib/api/types/meta.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { defined } from '#lib/machinery/defined.ts';
import { annotationsOf, labelsOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { isFinished, isTrue } from '#lib/server/registry/kinds/batch/job-conditions.ts';
import { secondsOf } from './time.ts';
import { offsetOf, zonedText } from './time-zone.ts';

const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** A job to create. */
export type NewJob = { metadata: ObjectMeta; spec: JobSpec };

/** The name of the job scheduled for `time`, in seconds since 1970. A retry finds the job of the first attempt. */
export const jobName = (cronJob: CronJob, time: number): string => `${nameOf(cronJob)}-${Math.trunc(time / 60)}`;

/** The template's job scheduled for `time`, in seconds since 1970. */
export function jobOf(cronJob: CronJob, reference: OwnerReference, time: number): NewJob {
  const { jobTemplate: template, timeZone: zone = '' } = cronJob.spec;
  return {
    metadata: {
      name: jobName(cronJob, time),
      namespace: namespaceOf(cronJob),
      labels: labelsOf(template),
      annotations: { ...annotationsOf(template), [SCHEDULED]: zonedText(time, offsetOf(zone)) },
      ownerReferences: [reference],
    },
    spec: template.spec,
  };
}

/** A reference to a job, as the status of its cron job lists it. */
export const referenceTo = (job: Job): ObjectReference => ({
  kind: 'Job',
  apiVersion: 'batch/v1',
  namespace: namespaceOf(job),
  name: nameOf(job),
  uid: uidOf(job),
  resourceVersion: resourceVersionOf(job),
});

/** The status derived from jobs, and the events to record. */
export interface JobsOutcome {
  readonly status: CronJobStatus;
  readonly events: readonly EventText[];
}

/** Updates the status from all existing jobs: finished jobs, deleted jobs and the last success. */
export function seeJobs({ status }: CronJob, jobs: readonly Job[]): JobsOutcome {
  const { active = [] } = status;
  const byUid = new Map(jobs.map((job) => [uidOf(job), job]));
  const uids = new Set(active.map(({ uid }) => uid ?? ''));
  const isDone = ({ uid = '' }: ObjectReference): boolean => {
    const job = byUid.get(uid);
    return job === undefined || isFinished(job);
  };
  const unexpected = jobs.filter((job) => !isFinished(job) && !uids.has(uidOf(job)));
  const success = lastSuccess(status, jobs);
  return {
    status: {
      ...status,
      active: active.filter((one) => !isDone(one)),
      ...defined({ lastSuccessfulTime: success }),
    },
    events: [
      ...unexpected.map((job) => unexpectedJob(nameOf(job))),
      ...active.filter(isDone).map(({ name = '', uid = '' }) => endOf(name, byUid.get(uid))),
    ],
  };
}

const unexpectedJob = (name: string): EventText => ({
  type: 'Warning',
  reason: 'UnexpectedJob',
  message: `Saw a job that the controller did not create or forgot: ${name}`,
});

function endOf(name: string, job: Job | undefined): EventText {
  if (job === undefined) return { type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` };
  const condition = isTrue(job, 'Complete') ? 'Complete' : 'Failed';
  const message = `Saw completed job: ${name}, condition: ${condition}`;
  return { type: 'Normal', reason: 'SawCompletedJob', message };
}

function lastSuccess({ lastSuccessfulTime: last }: CronJobStatus, jobs: readonly Job[]): string | undefined {
  let latest = secondsOf(last) ?? -Infinity;
  for (const { status } of jobs.filter((one) => isTrue(one, 'Complete'))) {
    const completed = secondsOf(status.completionTime) ?? -Infinity;
    if (completed <= latest) continue;
    [last, latest] = [status.completionTime, completed];
  }
  return last;
}

/** Finished jobs beyond the history limits, the oldest of each kind first. */
export function beyondHistory({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const old = (type: string, limit: number | undefined): readonly Job[] => {
    const ended = jobs.filter((job) => isTrue(job, type)).sort(byStart);
    return limit === undefined ? [] : ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...old('Complete', spec.successfulJobsHistoryLimit), ...old('Failed', spec.failedJobsHistoryLimit)];
}

function byStart(a: Job, b: Job): number {
  const start = ({ status }: Job): number => secondsOf(status.startTime) ?? Infinity;
  const [first, second] = [start(a), start(b)];
  return first === second ? (nameOf(a) < nameOf(b) ? -1 : 1) : first - second;
}

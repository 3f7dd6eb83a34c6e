import { arrayAt, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { at, integer, text } from '#lib/machinery/unstructured.ts';
import { isFinished, isTrue } from '#lib/registry/kinds/batch/job-conditions.ts';
import type { EventText } from '../workload/record-event.ts';
import { timeAt } from './time.ts';
import { offsetOf, zonedText } from './time-zone.ts';

const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** References to the jobs that run. */
export const activeOf = (status: JsonObject | undefined): readonly JsonObject[] =>
  arrayAt(status, 'active').filter(isObject);

/** One name for one time: whoever tries twice finds the job of the first. */
export const jobName = (cronJob: JsonObject, time: number): string => `${nameOf(cronJob)}-${Math.trunc(time / 60)}`;

/** The job of the template that was due at `time`, in seconds since 1970. */
export function jobOf(cronJob: JsonObject, reference: JsonObject, time: number): JsonObject {
  const template = at(cronJob, 'spec', 'jobTemplate') ?? {};
  const zone = stringAt(objectAt(cronJob, 'spec'), 'timeZone') ?? '';
  return {
    metadata: {
      name: jobName(cronJob, time),
      namespace: namespaceOf(cronJob),
      labels: labelsOf(template),
      annotations: { ...annotationsOf(template), [SCHEDULED]: zonedText(time, offsetOf(zone)) },
      ownerReferences: [reference],
    },
    spec: objectAt(template, 'spec') ?? {},
  };
}

export const referenceTo = (job: JsonObject): JsonObject => ({
  kind: 'Job',
  apiVersion: 'batch/v1',
  namespace: namespaceOf(job),
  name: nameOf(job),
  uid: uidOf(job),
  resourceVersion: resourceVersionOf(job),
});

export interface Seen {
  readonly status: JsonObject;
  readonly events: readonly EventText[];
}

/** What the jobs (all that there are) say about the status: who finished, who is gone, the last success. */
export function seeJobs(cronJob: JsonObject, jobs: readonly JsonObject[]): Seen {
  const status = objectAt(cronJob, 'status') ?? {};
  const active = activeOf(status);
  const byUid = new Map(jobs.map((job) => [uidOf(job), job]));
  const uids = new Set(active.map((one) => text(one, 'uid')));
  const isDone = (one: JsonObject): boolean => {
    const job = byUid.get(text(one, 'uid'));
    return job === undefined || isFinished(job);
  };
  const unexpected = jobs.filter((job) => !isFinished(job) && !uids.has(uidOf(job)));
  const success = lastSuccess(status, jobs);
  return {
    status: {
      ...status,
      active: active.filter((one) => !isDone(one)),
      ...(success === undefined ? {} : { lastSuccessfulTime: success }),
    },
    events: [
      ...unexpected.map((job) => unexpectedJob(nameOf(job))),
      ...active.filter(isDone).map((one) => endOf(text(one, 'name'), byUid.get(text(one, 'uid')))),
    ],
  };
}

const unexpectedJob = (name: string): EventText => ({
  type: 'Warning',
  reason: 'UnexpectedJob',
  message: `Saw a job that the controller did not create or forgot: ${name}`,
});

function endOf(name: string, job: JsonObject | undefined): EventText {
  if (job === undefined) return { type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` };
  const condition = isTrue(job, 'Complete') ? 'Complete' : 'Failed';
  const message = `Saw completed job: ${name}, condition: ${condition}`;
  return { type: 'Normal', reason: 'SawCompletedJob', message };
}

function lastSuccess(status: JsonObject, jobs: readonly JsonObject[]): string | undefined {
  let last = stringAt(status, 'lastSuccessfulTime');
  let latest = timeAt(status, 'lastSuccessfulTime') ?? -Infinity;
  for (const job of jobs.filter((one) => isTrue(one, 'Complete'))) {
    const completed = timeAt(objectAt(job, 'status'), 'completionTime') ?? -Infinity;
    if (completed <= latest) continue;
    [last, latest] = [stringAt(objectAt(job, 'status'), 'completionTime'), completed];
  }
  return last;
}

/** Finished jobs beyond the limits of the history, the oldest of each kind first. */
export function beyondHistory(cronJob: JsonObject, jobs: readonly JsonObject[]): readonly JsonObject[] {
  const spec = objectAt(cronJob, 'spec');
  const old = (type: string, field: string): readonly JsonObject[] => {
    const limit = integer(spec, field);
    const ended = jobs.filter((job) => isTrue(job, type)).sort(byStart);
    return limit === undefined ? [] : ended.slice(0, Math.max(0, ended.length - Number(limit)));
  };
  return [...old('Complete', 'successfulJobsHistoryLimit'), ...old('Failed', 'failedJobsHistoryLimit')];
}

function byStart(a: JsonObject, b: JsonObject): number {
  const start = (job: JsonObject): number => timeAt(objectAt(job, 'status'), 'startTime') ?? Infinity;
  const [first, second] = [start(a), start(b)];
  return first === second ? (nameOf(a) < nameOf(b) ? -1 : 1) : first - second;
}

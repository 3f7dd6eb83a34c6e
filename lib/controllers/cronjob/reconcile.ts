import type { CronJob, CronJobStatus, Job } from '#lib/api/types/batch.v1.ts';
import type { ObjectReference } from '#lib/api/types/core.v1.ts';
import { CRON_JOBS, JOBS } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { recordEvent } from '#lib/client/record/record-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { NOTHING } from '#lib/machinery/labels/selector.ts';
import { controllerOf, isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { isFinished } from '#lib/server/registry/kinds/batch/job-conditions.ts';
import { semanticEqual } from '#lib/server/registry/kinds/shared/semantic.ts';
import { type Claimant, controllerReference, dependentsOf } from '../workload/claim.ts';
import { claimantOf, writeStatus } from '../workload/claimant.ts';
import { OwnerIndex, type Ownership } from '../workload/owner-index.ts';
import { decide } from './decide.ts';
import { beyondHistory, jobOf, type NewJob, referenceTo, seeJobs } from './jobs.ts';

const OWNERSHIP: Ownership<CronJob, Job> = {
  owners: CRON_JOBS,
  kind: 'CronJob',
  dependents: JOBS,
  selectorOf: () => NOTHING,
};

interface Ports {
  readonly client: Clientset;
  readonly clock: Clock;
}

/** One reconciliation of a cron job. */
interface Turn extends Ports {
  readonly claimant: Claimant<CronJob, Job>;
  readonly ref: ObjectRef;
  tell(event: EventText): Promise<void>;
}

/**
 * Starts scheduled jobs and prunes their history: upstream's cron job controller. It prunes last, so that a job that ended before its start
 * was recorded still exists as evidence of the run.
 */
export function cronJobController(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const index = new OwnerIndex(OWNERSHIP);
  return {
    name: 'cronjob-controller',
    keys: (change) => index.keys(change),
    async reconcile(key) {
      const claimant = await claimantOf(client, OWNERSHIP, key);
      if (claimant === undefined) return undefined;
      const { ref, object, apiVersion, kind } = claimant;
      const recorder = { client, component: 'cronjob-controller', apiVersion, kind, events };
      const tell = (event: EventText): Promise<void> => recordEvent(recorder, object, event);
      return sync({ client, clock, claimant, ref, tell }, index.controlledBy(uidOf(object)));
    },
  };
}

async function sync(turn: Turn, names: readonly string[]): Promise<Result> {
  const { clock, claimant, tell } = turn;
  const jobs = await jobsOf(turn, names);
  const seen = seeJobs(claimant.object, jobs);
  for (const event of seen.events) await tell(event);
  const cronJob = { ...claimant.object, status: seen.status };
  const decision = decide(cronJob, clock.now() / 1000);
  for (const event of decision.events) await tell(event);
  const { run, replaces = false } = decision;
  const status = run === undefined ? seen.status : await start(turn, cronJob, { time: run, replaces });
  if (!semanticEqual(status, claimant.object.status)) await writeStatus(turn.client, turn.claimant, status);
  for (const job of beyondHistory(cronJob, jobs)) await deleteJob(turn, referenceTo(job));
  return decision.wait === undefined ? undefined : requeueAfter(Math.ceil(decision.wait * 1000));
}

/** The jobs that the cron job controls. Their names come from changes of jobs, and from the status, which may be newer. */
async function jobsOf({ client, claimant, ref }: Turn, names: readonly string[]): Promise<readonly Job[]> {
  const active = (claimant.object.status.active ?? []).map(({ name = '' }) => name);
  const jobs = await dependentsOf(client, claimant, [...new Set([...names, ...active])]);
  return jobs.filter((job) => namespaceOf(job) === ref.namespace && controllerOf(job)?.uid === uidOf(claimant.object));
}

/** Starts the job of a scheduled time. An earlier reconciliation may have begun to start it. Returns the resulting status. */
async function start(
  turn: Turn,
  cronJob: CronJob,
  { time, replaces }: { time: number; replaces: boolean },
): Promise<CronJobStatus> {
  const { status } = cronJob;
  const { active = [] } = status;
  if (replaces) for (const one of active) await deleteJob(turn, one, (error) => getFailed(turn, error));
  const job = await createJob(turn, jobOf(cronJob, controllerReference(turn.claimant), time));
  if (job === undefined) return status;
  const left = replaces ? [] : active;
  return {
    ...status,
    active: isFinished(job) ? [...left] : [...left, referenceTo(job)],
    lastScheduleTime: timeOf(time * 1000),
  };
}

/** The job, even if an earlier reconciliation created it. Undefined if another owner's job has its name. */
async function createJob(turn: Turn, job: NewJob): Promise<Job | undefined> {
  const { client, claimant, tell } = turn;
  try {
    const created = await client.create(JOBS, job);
    await tell({ type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${nameOf(created)}` });
    return created;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.reason === 'AlreadyExists') {
      const made = await client.get({ resource: JOBS, namespace: namespaceOf(job), name: nameOf(job) });
      return made !== undefined && controllerOf(made)?.uid === uidOf(claimant.object) ? made : undefined;
    }
    if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return undefined;
    await tell({ type: 'Warning', reason: 'FailedCreate', message: `Error creating job: ${error.message}` });
    throw error;
  }
}

/** Records that a job to replace could not be read. Throws the error. */
async function getFailed({ tell }: Turn, error: unknown): Promise<never> {
  if (error instanceof StatusError)
    await tell({ type: 'Warning', reason: 'FailedGet', message: `Get job: ${error.message}` });
  throw error;
}

/** Deletes a job with its pods. `unread` handles an error of the preceding read, and throws. */
async function deleteJob(
  { client, ref, tell }: Turn,
  { name = '', uid = '' }: ObjectReference,
  unread: (error: unknown) => Promise<never> = (error) => Promise.reject(error),
): Promise<void> {
  const job = { resource: JOBS, namespace: ref.namespace, name };
  const found = await client.get(job).catch(unread);
  if (found === undefined || uidOf(found) !== uid || isDeleting(found)) return;
  try {
    await client.delete(job, { uid, propagationPolicy: 'Background' });
    await tell({ type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}` });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    await tell({ type: 'Warning', reason: 'FailedDelete', message: `Deleted job: ${error.message}` });
    throw error;
  }
}

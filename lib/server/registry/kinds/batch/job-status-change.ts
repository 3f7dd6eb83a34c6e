import type { Job, JobSpec, JobStatus } from '#lib/api/types/batch.v1.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { isFinished, isTrue } from './job-conditions.ts';

/** A job before and after a status write, and the changes. */
export interface StatusChange {
  readonly job: Job;
  readonly old: Job;
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly oldStatus: JobStatus;
  /** Whether any of these status fields changes. */
  readonly changes: (...fields: (keyof JobStatus & string)[]) => boolean;
  /** Whether any of these conditions is added or removed. */
  readonly flips: (...conditions: string[]) => boolean;
  /** Whether the job changes between finished and unfinished. */
  readonly finishes: boolean;
}

/** Compares a job with the stored one. */
export function statusChange(job: Job, old: Job): StatusChange {
  const status = job.status;
  const oldStatus = old.status;
  return {
    job,
    old,
    spec: job.spec,
    status,
    oldStatus,
    changes: (...fields) => fields.some((field) => !semanticEqual(status[field], oldStatus[field])),
    flips: (...conditions) => conditions.some((type) => isTrue(job, type) !== isTrue(old, type)),
    finishes: isFinished(job) !== isFinished(old),
  };
}

import type { JobCondition, JobStatus } from '#lib/api/types/batch.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { findCondition, replaceCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { unlessZero } from '../workload/unless-zero.ts';
import { type End, interimOf, startTimeOf } from './end.ts';
import { isSettled } from './track.ts';
import type { View } from './view.ts';

/** The numbers of pods after the writes of a reconciliation. */
export interface Numbers {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

const condition = (
  type: string,
  status: string,
  { reason, message }: Pick<End, 'reason' | 'message'>,
  now: number,
): JobCondition => ({
  type,
  status,
  lastProbeTime: timeOf(now),
  lastTransitionTime: timeOf(now),
  reason,
  message,
});

/** The status with the start time: a job starts when it is first seen unsuspended. */
export function started({ status, spec, now }: View): JobStatus {
  return startTimeOf(status) !== undefined || spec.isSuspended ? status : { ...status, startTime: timeOf(now) };
}

/** The status with these numbers of pods. */
export const numbered = (status: JobStatus, numbers: Numbers): JobStatus => ({ ...status, ...numbers });

/** The status as the API stores it, which omits these fields if they are zero or empty. */
export const withoutZeros = ({
  active = 0,
  succeeded = 0,
  failed = 0,
  completedIndexes = '',
  ...others
}: JobStatus): JobStatus => ({
  ...others,
  ...defined({
    active: unlessZero(active),
    succeeded: unlessZero(succeeded),
    failed: unlessZero(failed),
    completedIndexes: completedIndexes === '' ? undefined : completedIndexes,
  }),
});

const SUSPENDED = { reason: 'JobSuspended', message: 'Job suspended' };
const RESUMED = { reason: 'JobResumed', message: 'Job resumed' };

/** A status, and the events to record after it. */
export interface StatusOutcome {
  readonly status: JobStatus;
  readonly events: readonly EventText[];
}

/**
 * The status with the suspended condition. A job that was never suspended has no such condition. A resumed job starts anew: its deadline
 * counts from then.
 */
export function suspended(status: JobStatus, { spec, now }: View): StatusOutcome {
  const [value, why] = spec.isSuspended ? ['True', SUSPENDED] : ['False', RESUMED];
  const { conditions = [] } = status;
  const before = findCondition(conditions, 'Suspended');
  if (before === undefined ? !spec.isSuspended : before.status === value) return { status, events: [] };
  const { startTime: _, ...others } = status;
  const reason = spec.isSuspended ? 'Suspended' : 'Resumed';
  return {
    status: {
      ...others,
      ...(spec.isSuspended ? {} : { startTime: timeOf(now) }),
      conditions: replaceCondition(conditions, condition('Suspended', value, why, now)),
    },
    events: [{ type: 'Normal', reason, message: why.message }],
  };
}

/** The status with the job's interim condition, for a job whose pods are not all counted. */
export function ending(status: JobStatus, end: End, now: number): JobStatus {
  const type = interimOf(end);
  const { conditions = [] } = status;
  if (findCondition(conditions, type)?.status === 'True') return status;
  return { ...status, conditions: replaceCondition(conditions, condition(type, 'True', end, now)) };
}

/**
 * The final status if no pod is left to count or delete, otherwise undefined. The end is never before the start, even if the clock was set
 * back. The API would otherwise refuse it until the clock catches up.
 */
export function ended(status: JobStatus, end: End, { spec, now }: View): StatusOutcome | undefined {
  if (!isSettled(status) || (status.terminating ?? 0) > 0) return undefined;
  const isComplete = end.type === 'Complete';
  const tooMany = isComplete && spec.completions !== undefined && (status.succeeded ?? 0) > spec.completions;
  return {
    status: {
      ...status,
      conditions: replaceCondition(status.conditions, condition(end.type, 'True', end, now)),
      ...(isComplete ? { completionTime: timeOf(Math.max(now, Date.parse(startTimeOf(status) ?? '') || now)) } : {}),
    },
    events: [
      ...(tooMany ? [TOO_MANY] : []),
      isComplete ? COMPLETED : { type: 'Warning', reason: end.reason, message: end.message },
    ],
  };
}

const TOO_MANY: EventText = {
  type: 'Warning',
  reason: 'TooManySucceededPods',
  message: 'Too many succeeded pods running after completion count reached',
};
const COMPLETED: EventText = { type: 'Normal', reason: 'Completed', message: 'Job completed' };

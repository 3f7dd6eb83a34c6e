import type { JobStatus, UncountedTerminatedPods } from '#lib/api/types/batch.v1.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { conditionIs, isFinished, isTrue } from './job-conditions.ts';
import { isIndexed } from './job-spec.ts';
import type { StatusChange } from './job-status-change.ts';

/** Validates start and completion times and the conditions that belong to them. */
export function timeErrors({ job, status, flips, changes }: StatusChange, path: FieldPath): FieldError[] {
  const completion = status.completionTime;
  const start = status.startTime;
  const where = path.child('completionTime');
  const complete = isTrue(job, 'Complete');
  const settled = flips('Complete') || changes('completionTime');
  const early = completion !== undefined && start !== undefined && Date.parse(completion) < Date.parse(start);
  return [
    ...(settled && completion !== undefined && !complete
      ? [invalid(where, completion, 'cannot set completionTime when there is no Complete=True condition')]
      : []),
    ...(settled && completion === undefined && complete
      ? [required(where, 'completionTime is required for Complete jobs')]
      : []),
    ...(changes('startTime', 'completionTime') && early
      ? [invalid(where, completion, 'must be equal to or after `startTime`')]
      : []),
  ];
}

/** A finished job has neither active nor uncounted pods. */
export function finishedErrors({ job, spec, status, finishes, changes }: StatusChange, path: FieldPath): FieldError[] {
  const when = (...fields: (keyof JobStatus & string)[]): boolean =>
    isFinished(job) && (finishes || changes(...fields));
  const active = status.active ?? 0;
  const terminating = status.terminating ?? 0;
  const never = spec.suspend === true && spec.completions === 0;
  const uncounted = status.uncountedTerminatedPods;
  const ready = status.ready;
  return [
    ...(when('active') && active > 0
      ? [invalid(path.child('active'), active, 'active>0 is invalid for finished job')]
      : []),
    ...(when('startTime') && status.startTime === undefined && !never
      ? [required(path.child('startTime'), 'startTime is required for finished job')]
      : []),
    ...(when('uncountedTerminatedPods') && uncounted !== undefined && podsIn(uncounted) > 0
      ? [invalid(path.child('uncountedTerminatedPods'), shownPods(uncounted), 'must be empty for finished job')]
      : []),
    ...(when('terminating') && terminating > 0
      ? [invalid(path.child('terminating'), terminating, 'terminating>0 is invalid for finished job')]
      : []),
    ...(changes('ready', 'active') && ready !== undefined && ready > active
      ? [invalid(path.child('ready'), ready, 'cannot set more ready pods than active')]
      : []),
  ];
}

const podsIn = (pods: UncountedTerminatedPods): number => (pods.succeeded ?? []).length + (pods.failed ?? []).length;

/** The pods in Go's JSON encoding of their internal type. */
function shownPods(pods: UncountedTerminatedPods): ReadonlyMap<string, unknown> {
  return new Map([
    ['Succeeded', pods.succeeded ?? null],
    ['Failed', pods.failed ?? null],
  ]);
}

const TERMINAL = ['Failed', 'Complete', 'FailureTarget'];

/** Rejects counters, times and conditions that revert to an earlier state. */
export function transitionErrors(change: StatusChange, path: FieldPath): FieldError[] {
  const { job, old } = change;
  const lost = TERMINAL.filter((type) => isTrue(old, type) && !isTrue(job, type));
  const conditions = path.child('conditions');
  const met = 'SuccessCriteriaMet';
  const late = isTrue(old, 'Complete') && !isTrue(old, met) && isTrue(job, met);
  return [
    ...lost.map((type) => invalid(conditions, undefined, `cannot disable the terminal ${type}=True condition`)),
    ...counters(change, path),
    ...fixedTimes(change, path),
    ...(isTrue(old, met) && !isTrue(job, met)
      ? [invalid(conditions, undefined, 'cannot disable the SuccessCriteriaMet=True condition')]
      : []),
    ...(late
      ? [
          invalid(
            conditions,
            undefined,
            'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
          ),
        ]
      : []),
  ];
}

/** Elastic jobs may shrink and reduce their number of succeeded pods. */
function counters({ spec, status, oldStatus }: StatusChange, path: FieldPath): FieldError[] {
  const elastic = isIndexed(spec) && spec.completions === spec.parallelism;
  const fields = elastic ? (['failed'] as const) : (['failed', 'succeeded'] as const);
  return fields
    .filter((field) => (status[field] ?? 0) < (oldStatus[field] ?? 0))
    .map((field) => invalid(path.child(field), status[field] ?? 0, `cannot decrease the ${field} counter`));
}

function fixedTimes({ job, old, spec, status, oldStatus, changes }: StatusChange, path: FieldPath): FieldError[] {
  const resuming = conditionIs(old, 'Suspended', 'True') && conditionIs(job, 'Suspended', 'False');
  const restarted = oldStatus.startTime !== undefined && changes('startTime') && !resuming && spec.suspend !== true;
  const completion = status.completionTime;
  const moved =
    status.completionTime !== undefined && oldStatus.completionTime !== undefined && changes('completionTime');
  const start = status.startTime ?? null;
  return [
    ...(moved ? [invalid(path.child('completionTime'), completion, 'field is immutable')] : []),
    ...(restarted ? [invalid(path.child('startTime'), start, 'field is immutable for unsuspended job once set')] : []),
  ];
}

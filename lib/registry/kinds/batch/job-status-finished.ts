import { arrayAt, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, flag, has, integer } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { conditionIs, isFinished, isTrue } from './job-conditions.ts';
import { isIndexed } from './job-spec.ts';
import type { StatusChange } from './job-status-change.ts';

/** Start and completion times, and the conditions that go with them. */
export function timeErrors({ job, status, flips, changes }: StatusChange, path: FieldPath): FieldError[] {
  const completion = stringAt(status, 'completionTime');
  const start = stringAt(status, 'startTime');
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

/** A finished job has no pods that run or are to be counted. */
export function finishedErrors({ job, spec, status, finishes, changes }: StatusChange, path: FieldPath): FieldError[] {
  const when = (...fields: string[]): boolean => isFinished(job) && (finishes || changes(...fields));
  const active = count(status, 'active');
  const terminating = count(status, 'terminating');
  const never = flag(spec, 'suspend') === true && integer(spec, 'completions') === 0;
  const uncounted = objectAt(status, 'uncountedTerminatedPods');
  const ready = integer(status, 'ready');
  return [
    ...(when('active') && active > 0
      ? [invalid(path.child('active'), active, 'active>0 is invalid for finished job')]
      : []),
    ...(when('startTime') && !has(status, 'startTime') && !never
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

const podsIn = (pods: JsonObject): number => arrayAt(pods, 'succeeded').length + arrayAt(pods, 'failed').length;

/** As Go's JSON has the internal type. */
function shownPods(pods: JsonObject): ReadonlyMap<string, unknown> {
  return new Map([
    ['Succeeded', ownField(pods, 'succeeded') ?? null],
    ['Failed', ownField(pods, 'failed') ?? null],
  ]);
}

const TERMINAL = ['Failed', 'Complete', 'FailureTarget'];

/** What a job has reached does not go back. */
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

/** Elastic jobs may shrink, and with them the number that succeeded. */
function counters({ spec, status, oldStatus }: StatusChange, path: FieldPath): FieldError[] {
  const elastic = isIndexed(spec) && integer(spec, 'completions') === integer(spec, 'parallelism');
  const fields = elastic ? ['failed'] : ['failed', 'succeeded'];
  return fields
    .filter((field) => count(status, field) < count(oldStatus, field))
    .map((field) => invalid(path.child(field), count(status, field), `cannot decrease the ${field} counter`));
}

function fixedTimes({ job, old, spec, status, oldStatus, changes }: StatusChange, path: FieldPath): FieldError[] {
  const resuming = conditionIs(old, 'Suspended', 'True') && conditionIs(job, 'Suspended', 'False');
  const restarted = has(oldStatus, 'startTime') && changes('startTime') && !resuming && flag(spec, 'suspend') !== true;
  const completion = ownField(status, 'completionTime');
  const moved = has(status, 'completionTime') && has(oldStatus, 'completionTime') && changes('completionTime');
  const start = ownField(status, 'startTime') ?? null;
  return [
    ...(moved ? [invalid(path.child('completionTime'), completion, 'field is immutable')] : []),
    ...(restarted ? [invalid(path.child('startTime'), start, 'field is immutable for unsuspended job once set')] : []),
  ];
}

import type { Job } from '#lib/api/types/batch.v1.ts';
import { duplicate, type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { nonnegative } from '../shared/validate.ts';
import { isTrue } from './job-conditions.ts';
import { type StatusChange, statusChange } from './job-status-change.ts';
import { finishedErrors, timeErrors, transitionErrors } from './job-status-finished.ts';
import { indexErrors } from './job-status-indexes.ts';

const STATUS = FieldPath.of('status');
const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

/**
 * Validates the status transitions that clients rely on, because a third-party controller may write a job's status. Accepts errors that the
 * stored status already has and that do not change.
 */
export function validateJobStatusUpdate(job: Job, old: Job): FieldError[] {
  const change = statusChange(job, old);
  return [
    ...nonnegative(job.status, STATUS, ...COUNTS),
    ...uncounted(job),
    ...conditionErrors(change, STATUS),
    ...timeErrors(change, STATUS),
    ...finishedErrors(change, STATUS),
    ...indexErrors(change, STATUS),
    ...transitionErrors(change, STATUS),
  ];
}

function uncounted(job: Job): FieldError[] {
  const pods = job.status.uncountedTerminatedPods;
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (pods?.[field] ?? []).flatMap((uid, i) => {
      const path = STATUS.child('uncountedTerminatedPods', field).index(i);
      if (uid === '') return [invalid(path, uid, 'must not be empty')];
      const again = seen.has(uid) ? [duplicate(path, uid)] : [];
      seen.add(uid);
      return again;
    }),
  );
}

/** Validates that conditions are compatible and set in order. */
function conditionErrors({ job, spec, flips, changes }: StatusChange, path: FieldPath): FieldError[] {
  const is = (type: string): boolean => isTrue(job, type);
  const complete = is('Complete');
  const failed = is('Failed');
  const target = is('FailureTarget');
  const met = is('SuccessCriteriaMet');
  const rules: readonly (readonly [boolean, string])[] = [
    [flips('Complete', 'Failed') && complete && failed, 'cannot set Complete=True and Failed=true conditions'],
    [
      flips('Complete', 'FailureTarget') && complete && target,
      'cannot set Complete=True and FailureTarget=true conditions',
    ],
    [
      (flips('Failed') || changes('failedIndexes')) && failed && !target,
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      flips('Complete', 'SuccessCriteriaMet') && complete && !met,
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [met && failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
    [met && target, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'],
    [
      spec.successPolicy !== undefined && !met && complete,
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    ],
  ];
  return rules.flatMap(([broken, message]) => (broken ? [invalid(path.child('conditions'), undefined, message)] : []));
}
